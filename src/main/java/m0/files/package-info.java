/**
 * Static files: a directory under a prefix, with validators, one range, types, and no way out of it.
 *
 * <p>Answers are {@code Body.FileRegion}s, so the loop sends the bytes and nothing here ever holds
 * them. The package looks at files and never opens one; it knows neither sockets nor threads.
 *
 * <p>Called by an application's handler, or served by itself as a {@link m0.files.FilesApp}. Any
 * thread; a pool thread where there is one, since a look at a directory may wait for a disk. Begin
 * with {@link m0.files.StaticFiles}; {@link m0.files.RelativePath} is what a path must get past.
 */
package m0.files;
