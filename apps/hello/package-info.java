/**
 * The default application: what a newcomer sees first, and the smallest one to copy from.
 *
 * <p>Start at {@link hello.Hello}. It knows the host only by {@code m0.app}, {@code m0.http},
 * {@code m0.sse} and {@code m0.stream}. Its {@code /health} is what the speed of the host is
 * measured on, so that route must go on allocating nothing.
 */
package hello;
