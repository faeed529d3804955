package m0.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every setting's value with its source: flag over variable over default.
 *
 * <p>A value that cannot be read leaves a {@link Fault}, and the default in its place so that
 * everything else can still be judged.
 *
 * <p>Threads: any; it is not changed once read.
 */
public final class Settings {
    /** Where a value came from. */
    public enum Source {
        FLAG("flag"), PROPERTY("property"), ENV("env"), DEFAULT("default");

        private final String label;

        Source(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /** A value that cannot be read: what to say, and the exit code of a refusal. */
    record Fault(Setting setting, String finding, String fix, int exit) { }

    private static final Setting[] ALL = Setting.values();

    private final HostProgram program;
    private final SettingValue[] values = new SettingValue[ALL.length];
    private final Source[] sources = new Source[ALL.length];
    private final String[] texts = new String[ALL.length];
    private final List<Fault> faults = new ArrayList<>();

    /** @param program whose defaults and ranges may not be the table's */
    Settings(CommandLine line, Environment environment, HostProgram program) {
        this.program = program;
        for (Setting setting : ALL) {
            String flag = line.value(setting);
            String variable = environment.value(setting);
            if (flag != null) {
                set(setting, flag, Source.FLAG);
            } else if (variable != null) {
                set(setting, variable, Source.ENV);
            } else {
                set(setting, program.defaults().getOrDefault(setting, setting.byDefault()),
                        Source.DEFAULT);
            }
        }
    }

    /**
     * The defaults, with {@code texts} (one for each setting, or null) in their place.
     *
     * @param properties those whose text is their system property's
     */
    Settings(String[] texts, Set<Setting> properties) {
        program = OneApplication.named(Settings.class.getClassLoader());
        for (Setting setting : ALL) {
            String text = texts[setting.ordinal()];
            Source given = properties.contains(setting) ? Source.PROPERTY : Source.FLAG;
            set(setting, text == null ? setting.byDefault() : text,
                    text == null ? Source.DEFAULT : given);
        }
    }

    private void set(Setting setting, String text, Source source) {
        int index = setting.ordinal();
        texts[index] = text;
        sources[index] = source;
        if (text == null) {
            return;
        }
        values[index] = SettingValue.read(setting, text);
        if (values[index] == null) {
            faults.add(fault(setting, text, source));
            values[index] = SettingValue.read(setting, setting.byDefault());
        }
    }

    private Fault fault(Setting setting, String text, Source source) {
        boolean ofLine = source == Source.FLAG;
        String range = program.range(setting);
        return new Fault(setting,
                assignment(setting, Printable.text(text), source) + " cannot be read as " + range,
                fix(setting, range), ofLine ? ExitCode.UNREADABLE : ExitCode.REFUSED);
    }

    /** The advice of a refusal: the setting by flag and variable, and what it takes. */
    public static String fix(Setting setting, String wanted) {
        return "set " + setting.variable() + " or " + setting.flag() + " to " + wanted;
    }

    /** The value's text, or null where it is unset. */
    public String text(Setting setting) {
        SettingValue value = values[setting.ordinal()];
        return value == null ? null : value.text();
    }

    /** The value's number. */
    public long number(Setting setting) {
        return values[setting.ordinal()].number();
    }

    public boolean isOn(Setting setting) {
        return number(setting) == 1;
    }

    public Source source(Setting setting) {
        return sources[setting.ordinal()];
    }

    /**
     * The setting and its value as the operator wrote them, {@code --port 7}, {@code M0_PORT=7} or
     * {@code -Dm0.port=7}; of one that nobody wrote it says so.
     */
    public String assignment(Setting setting) {
        return assignment(setting, written(setting), source(setting));
    }

    private static String assignment(Setting setting, String text, Source source) {
        return switch (source) {
            case FLAG -> setting.flag() + " " + text;
            case PROPERTY -> "-D" + setting.property() + "=" + text;
            case ENV -> setting.variable() + "=" + text;
            case DEFAULT -> "the default " + setting.variable() + "=" + text;
        };
    }

    /** What was written, readable or not, fit for a line; null where it is unset. */
    String written(Setting setting) {
        String text = texts[setting.ordinal()];
        return text == null ? null : Printable.text(text);
    }

    /** The setting's fault, or null if its value could be read. */
    Fault fault(Setting setting) {
        for (Fault fault : faults) {
            if (fault.setting() == setting) {
                return fault;
            }
        }
        return null;
    }

    List<Fault> faults() {
        return faults;
    }
}
