/**
 * What gates check route tables with: each route is there for something that can be seen on the
 * wire.
 *
 * <p>Start at {@link views_check.ViewsCheck}.
 */
package views_check;
