/**
 * The application that gates serve when they check the host: it says which process, loop and
 * handler answered, holds its thread on request, sends bodies of any size, and fails where it is
 * told to.
 *
 * <p>Start at {@link host_check.HostCheck}, which reads the knobs. Bodies are made of the bytes
 * that {@link host_check.Pattern} defines, so that a client can check each one.
 */
package host_check;
