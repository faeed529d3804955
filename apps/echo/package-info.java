/**
 * A bench for other people's HTTP test suites: routes that show what a client sent and provoke what
 * a client must cope with. Its limits are the host's usual settings.
 *
 * <p>Start at {@link echo.Echo}; {@link echo.EchoHandler} is the table of routes. It knows the host
 * only by {@code m0.app}, {@code m0.http}, {@code m0.sse} and {@code m0.stream}.
 */
package echo;
