/**
 * The kinds of bench, one class each, and the command line that names them.
 *
 * <p>A kind starts servers, drives them and writes one artifact. It decides nothing for a build:
 * it states the bound beside the figure. Start at {@link kind.Main}.
 */
package kind;
