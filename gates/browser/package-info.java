/**
 * The pages of sample applications as a person's browser shows them: the host's streams at the end
 * of a chain that nobody here wrote.
 *
 * <p>{@link kit.Browser} says what happens on a machine without a browser.
 */
package browser;
