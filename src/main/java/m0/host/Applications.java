package m0.host;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Properties;
import m0.app.App;

/**
 * Finds an application by name: in the table {@code m0-apps.properties} of the class path, or as
 * the name of a class with a public constructor without arguments.
 *
 * <p>Threads: any. Errors: what is missing is a {@link Selected#finding}, never a throw.
 */
final class Applications {
    /** Name = class, at the root of the class path. */
    static final String TABLE = "m0-apps.properties";

    /**
     * An application, or why there is none.
     *
     * @param name what the listening line and the doctor call it
     * @param app null where there is none
     * @param finding empty where there is one
     * @param fix empty where there is one
     */
    record Selected(String name, App app, String finding, String fix) {
        /** Where the application comes later. */
        static final Selected NONE_YET = new Selected("", null, "", "");
    }

    private Applications() {
    }

    /** The application of a program that brings its own; {@code M0_APP} may not name another. */
    static Selected given(App app, Settings settings) {
        String name = app.getClass().getName();
        if (settings.source(Setting.APP) != Settings.Source.DEFAULT) {
            return new Selected(name, app, "this program serves its own application " + name
                    + ", not " + settings.assignment(Setting.APP),
                    "unset " + Setting.APP.variable() + " and " + Setting.APP.flag());
        }
        return new Selected(name, app, "", "");
    }

    static Selected named(Settings settings, ClassLoader loader) {
        String name = settings.text(Setting.APP);
        try {
            String className = name.indexOf('.') < 0 ? table(loader).getProperty(name) : null;
            App app = make(className == null ? name : className, loader);
            return new Selected(name, app, "", "");
        } catch (Missing missing) {
            return new Selected(Printable.text(name), null, settings.assignment(Setting.APP)
                    + ": " + missing.getMessage(), Settings.fix(Setting.APP,
                    "a name of the jar or a class with a public constructor without arguments"));
        }
    }

    private static Properties table(ClassLoader loader) throws Missing {
        Properties table = new Properties();
        try (InputStream in = loader.getResourceAsStream(TABLE)) {
            if (in != null) {
                table.load(in);
            }
            return table;
        } catch (IOException failure) {
            throw new Missing("the table " + TABLE + " cannot be read: " + Failure.line(failure));
        }
    }

    private static App make(String className, ClassLoader loader) throws Missing {
        try {
            Class<?> type = Class.forName(className, true, loader);
            if (!App.class.isAssignableFrom(type)) {
                throw new Missing("class " + className + " is no " + App.class.getName());
            }
            return (App) type.getConstructor().newInstance();
        } catch (ClassNotFoundException none) {
            throw new Missing("no application and no class is called "
                    + Printable.text(className));
        } catch (InvocationTargetException thrown) {
            throw new Missing("its constructor threw: " + Failure.line(thrown.getCause()));
        } catch (ReflectiveOperationException unfit) {
            throw new Missing("class " + className
                    + " has no public constructor without arguments");
        } catch (LinkageError broken) {
            throw new Missing("class " + Printable.text(className) + " cannot be loaded: "
                    + Failure.line(broken));
        }
    }

    /** Why there is no application; it never leaves this class. */
    private static final class Missing extends Exception {
        private static final long serialVersionUID = 1;

        Missing(String finding) {
            super(finding);
        }
    }
}
