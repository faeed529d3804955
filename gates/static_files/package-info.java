/**
 * Gates of static files: what of a directory is served, what is not whatever the path, and at what
 * cost. Black boxes around {@code target/host.jar}.
 *
 * <p>Each serves a directory of its own with the application <em>files</em> ({@link static_files.Site}).
 * Start at {@link static_files.StaticFilesGate}.
 */
package static_files;
