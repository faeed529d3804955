package m0.host;

import java.util.Map;

/**
 * One way to start a host: the subcommand it is, the values its settings begin with, and what they
 * choose to serve.
 *
 * <p>Threads: the one that starts. Errors: what is missing or unfit is a failed check of the
 * {@link Selection}, never a throw.
 */
public interface HostProgram {
    /** The word behind {@code host.jar}, or empty. */
    String command();

    /** Defaults that are not those of the table. */
    Map<Setting, String> defaults();

    /** What can be written for that setting, as a refusal says it. */
    default String range(Setting setting) {
        return setting.range();
    }

    /**
     * Finds what the settings name and judges it; makes no handler.
     *
     * @param command the subcommand that was written, which may be another's
     */
    Selection select(Settings settings, String command);
}
