package m0.host;

import java.util.List;
import m0.app.App;

/**
 * What a start would do, as one JSON object: every value with its source, the topology, and every
 * check with its fix.
 *
 * <p>Threads: any.
 */
final class Doctor {
    private Doctor() {
    }

    static String report(Settings settings, Selection selection, List<Check> checks) {
        Check refusal = Checks.firstFailure(checks);
        Json json = new Json();
        json.open('{');
        json.name("m0_host").value("1");
        json.name("ok").value(refusal == null);
        json.name("exit").value(refusal == null ? ExitCode.SERVED : refusal.exit());
        json.name("build").value(Build.version());
        config(json, settings);
        sources(json, settings);
        topology(json, settings, selection);
        application(json, settings, selection);
        checks(json, checks);
        return json.close('}').toString();
    }

    private static void config(Json json, Settings settings) {
        json.name("config").open('{');
        for (Setting setting : Setting.values()) {
            json.name(setting.variable());
            String written = settings.written(setting);
            if (written == null || settings.fault(setting) != null) {
                json.value(written);
                continue;
            }
            switch (setting.kind()) {
                case TEXT, LIST, ORIGINS -> json.value(written);
                case POOL -> {
                    if (settings.number(setting) == SettingValue.VIRTUAL) {
                        json.value(written);
                    } else {
                        json.value(settings.number(setting));
                    }
                }
                case NUMBER, COUNT, SIZE -> json.value(settings.number(setting));
                case BIT, SWITCH -> json.value(settings.isOn(setting));
            }
        }
        json.close('}');
    }

    private static void sources(Json json, Settings settings) {
        json.name("sources").open('{');
        for (Setting setting : Setting.values()) {
            json.name(setting.variable()).value(settings.source(setting).label());
        }
        json.close('}');
    }

    private static void topology(Json json, Settings settings, Selection selection) {
        Topology topology = Topology.of(settings, selection.lanes());
        json.name("topology").open('{');
        json.name("mode").value(topology.mode());
        json.name("loops").value(topology.loops());
        json.name("handler_threads");
        if (topology.isVirtual()) {
            json.value(topology.pool());
        } else {
            json.value(topology.handlerThreads());
        }
        json.name("max_connections_per_loop").value(settings.number(Setting.MAX_CONNECTIONS));
        json.name("accept_share").value(settings.isOn(Setting.ACCEPT_SHARE));
        json.close('}');
    }

    private static void application(Json json, Settings settings, Selection selection) {
        int loops = (int) Math.min(Integer.MAX_VALUE,
                Topology.of(settings, selection.lanes()).loops());
        App app = selection.app();
        json.name("application").open('{');
        json.name("name").value(selection.name());
        if (app != null) {
            json.name("max_workers").value(app.maxWorkers());
            json.name("max_threads").value(app.maxThreads());
            json.name("page_slots").value(app.pageSlots(loops));
        }
        json.close('}');
    }

    private static void checks(Json json, List<Check> checks) {
        json.name("checks").open('[');
        for (Check check : checks) {
            json.open('{').name("name").value(check.name()).name("ok").value(check.ok())
                    .name("detail").value(check.detail());
            if (!check.ok()) {
                json.name("fix").value(check.fix()).name("exit").value(check.exit());
            }
            json.close('}');
        }
        json.close(']');
    }
}
