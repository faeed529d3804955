/**
 * Serves the files of a directory: the smallest application around {@code m0.files}.
 *
 * <p>Start at {@link files.FileServer}. It knows the host only by {@code m0.app} and
 * {@code m0.files}.
 */
package files;
