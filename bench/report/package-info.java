/**
 * What a bench leaves behind: JSON with fixed keys, medians and ratios with their bounds.
 *
 * <p>It knows no server and no load. Start at {@link report.Artifact}.
 */
package report;
