/**
 * A route table that is an application: what path and method lead to which view, and on which
 * thread that view runs.
 *
 * <p>It must not know the host: to it a table is an application like any other. Applications build
 * a {@link m0.views.Views} once and give it to a {@link m0.views.ViewsApp} with a
 * {@link m0.views.ViewState}, which makes one state for each handler. The table is shared by all
 * threads, a state belongs to one. A path is looked up in a {@code RouteTree}, one node for each of
 * its segments. Start at {@link m0.views.Views#dispatch}.
 */
package m0.views;
