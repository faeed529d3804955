package m0.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The environment of a start, held strictly: each {@code M0_…} name is a setting, the host's own
 * ({@code M0_INTERNAL_…}), injected by a container platform and passed over, or else someone's
 * mistake, unless the application owns it.
 *
 * <p>A platform names the services of a namespace to every process in it, so a service called
 * {@code m0} brings {@code M0_SERVICE_HOST}, {@code M0_PORT=tcp://10.0.0.1:80},
 * {@code M0_PORT_80_TCP_ADDR} and their like.
 *
 * <p>Threads: any; it is not changed once read.
 */
final class Environment {
    private static final String OURS = "M0_";
    private static final String INTERNAL = "M0_INTERNAL_";

    private final Map<String, String> variables;
    private final List<String> passedOver = new ArrayList<>();
    private final List<String> others = new ArrayList<>();

    Environment(Map<String, String> variables) {
        this.variables = variables;
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            String name = variable.getKey();
            if (name.startsWith(OURS) && !name.startsWith(INTERNAL)) {
                sort(name, variable.getValue());
            }
        }
        passedOver.sort(null);
        others.sort(null);
    }

    private void sort(String name, String value) {
        Setting setting = Setting.ofVariable(name);
        if (setting == null ? isInjected(name, value) : isInjected(setting, value)) {
            passedOver.add(name);
        } else if (setting == null) {
            others.add(name);
        }
    }

    private static boolean isInjected(Setting setting, String value) {
        return (setting == Setting.PORT || setting == Setting.HOST) && isServiceUri(value);
    }

    private static boolean isInjected(String name, String value) {
        return name.endsWith("_SERVICE_HOST")
                || name.contains("_PORT") && (isServiceUri(value) || isNumber(value))
                || name.contains("_PORT_") && isPortDetail(name);
    }

    private static boolean isServiceUri(String value) {
        return value.startsWith("tcp://") || value.startsWith("udp://");
    }

    private static boolean isNumber(String value) {
        for (int index = 0; index < value.length(); index++) {
            if (value.charAt(index) < '0' || value.charAt(index) > '9') {
                return false;
            }
        }
        return !value.isEmpty();
    }

    /** {@code …_PORT_80_TCP_ADDR} and {@code …_PORT_80_TCP_PROTO}. */
    private static boolean isPortDetail(String name) {
        return (name.contains("_TCP_") || name.contains("_UDP_"))
                && (name.endsWith("_ADDR") || name.endsWith("_PROTO"));
    }

    /** What the setting's variable says, or null if it is unset or a platform's. */
    String value(Setting setting) {
        String value = variables.get(setting.variable());
        return value == null || isInjected(setting, value) ? null : value;
    }

    /** The value of an application's own variable, or null. */
    String value(String name) {
        return variables.get(name);
    }

    /** Names of a container platform's, sorted. */
    List<String> passedOver() {
        return passedOver;
    }

    /** Names that are no setting, sorted: an application's own, or mistakes. */
    List<String> others() {
        return others;
    }
}
