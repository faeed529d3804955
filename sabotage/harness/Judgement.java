package harness;

import java.util.List;

/**
 * A verdict and what led to it: one line for the summary, and whatever else there is to read.
 *
 * <p>{@link #of} is the whole rule by which a run with a mutant is judged, without a process or a
 * file, so that it can be read and tested alone.
 */
record Judgement(Verdict verdict, String reason, String details) {
    /** How a gate's kit begins its complaint that a server ran without the mutant. */
    static final String NOT_LOADED = "MUTANT NOT LOADED";
    /** Where a gate's failure ends and the logs begin that it quotes, which prove nothing. */
    private static final String QUOTED_LOGS = "\n---- server ";

    static Judgement of(Verdict verdict, String reason) {
        return new Judgement(verdict, reason, "");
    }

    /**
     * Judges a method that was green before.
     *
     * @param outcome how it went with the mutant
     * @param loads what the JVMs said about where the mutated classes came from
     * @param words what its failure must contain
     */
    static Judgement of(MethodRun.Outcome outcome, ClassLoads loads, List<String> words) {
        String details = outcome.text() + "\n" + outcome.output();
        if (outcome.hung()) {
            return new Judgement(Verdict.HUNG, outcome.reason(), details);
        }
        if (outcome.isNoTest()) {
            return new Judgement(Verdict.STALE, outcome.reason(), details);
        }
        if (!loads.complaint().isEmpty() || outcome.text().contains(NOT_LOADED)) {
            String reason = loads.complaint().isEmpty()
                    ? firstLine(outcome.text()) : loads.complaint();
            return new Judgement(Verdict.NOT_LOADED, reason, details);
        }
        if (outcome.isGreen()) {
            return new Judgement(Verdict.MISSED, "it stayed green", details);
        }
        if (outcome.failed() == 0) {
            return new Judgement(Verdict.WRONG_FAILURE, outcome.reason(), details);
        }
        String said = withoutLogs(outcome.text());
        for (String wanted : words) {
            if (!said.contains(wanted)) {
                return new Judgement(Verdict.WRONG_FAILURE,
                        "without \"" + wanted + "\": " + firstLine(said), details);
            }
        }
        return new Judgement(Verdict.CAUGHT, firstLine(said), details);
    }

    static String firstLine(String text) {
        String line = text.strip();
        int end = line.indexOf('\n');
        line = end < 0 ? line : line.substring(0, end);
        return line.length() <= 200 ? line : line.substring(0, 200) + "…";
    }

    private static String withoutLogs(String text) {
        int logs = text.indexOf(QUOTED_LOGS);
        return logs < 0 ? text : text.substring(0, logs);
    }
}
