package m0.host;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Properties;

/**
 * Finds an application by name: in the table {@code m0-apps.properties} of the class path, or as
 * the name of a class with a public constructor without arguments.
 *
 * <p>Threads: any. Errors: what is missing is a {@link Found#finding}, never a throw.
 */
public final class Applications {
    /** What a refusal asks for. */
    public static final String WANTED =
            "a name of the jar, or a class that java -cp finds, with a public constructor without"
                    + " arguments";
    /** Name = class, at the root of the class path. */
    static final String TABLE = "m0-apps.properties";

    /**
     * An application, or why there is none.
     *
     * @param name what the listening line and the doctor call it
     * @param made null where there is none
     * @param finding empty where there is one
     */
    public record Found<T>(String name, T made, String finding) { }

    private Applications() {
    }

    /**
     * Finds and makes one.
     *
     * @param type what it has to be
     */
    public static <T> Found<T> find(String name, Class<T> type, ClassLoader loader) {
        try {
            if (name.isEmpty()) {
                throw new Missing("it names no application");
            }
            String className = name.indexOf('.') < 0 ? table(loader).getProperty(name) : null;
            return new Found<>(name, make(className == null ? name : className, type, loader), "");
        } catch (Missing missing) {
            return new Found<>(Printable.text(name), null, missing.getMessage());
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

    private static <T> T make(String className, Class<T> type, ClassLoader loader)
            throws Missing {
        try {
            Class<?> named = Class.forName(className, true, loader);
            if (!type.isAssignableFrom(named)) {
                throw new Missing("class " + className + " is no " + type.getName());
            }
            return type.cast(named.getConstructor().newInstance());
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
