package m0.http;

/**
 * A request that is refused for what it says: whoever reads it throws this, and whoever answers
 * turns it into {@link #problem()}.
 *
 * <p>A view's is answered by {@code m0.views} as it stands and not logged; other handlers catch it
 * themselves. It is checked, so that none forgets to. It has no stack trace: nothing of ours
 * failed.
 */
public final class ProblemException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        super(problem.status() + " " + problem.detail(), null, false, false);
        this.problem = problem;
    }

    /** A problem that its status says all of but the detail. */
    public ProblemException(int status, String detail) {
        this(Problem.of(status, detail));
    }

    public Problem problem() {
        return problem;
    }
}
