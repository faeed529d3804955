package kit;

import java.io.FileDescriptor;
import java.lang.ProcessBuilder.Redirect;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.channels.Channel;

/**
 * Gives a process a channel of this JVM as descriptor 0, as whoever activates by socket does.
 *
 * <p>By reflection, since the JDK passes on nothing but files and pipes; the JVM of gates opens what
 * that takes. What starts the server then becomes it, so the descriptor stays.
 */
public final class Descriptors {
    private Descriptors() {
    }

    /** The stdin of a process that is to have that channel. */
    public static Redirect of(Channel channel) {
        try {
            Constructor<?> constructor = opened(Class
                    .forName("java.lang.ProcessBuilder$RedirectPipeImpl").getDeclaredConstructor());
            Redirect made = (Redirect) constructor.newInstance();
            Object descriptor = field(made.getClass(), "fd").get(made);
            Field number = field(FileDescriptor.class, "fd");
            number.set(descriptor, number.get(field(channel.getClass(), "fd").get(channel)));
            return made;
        } catch (ReflectiveOperationException missing) {
            throw new AssertionError("this JDK keeps descriptors elsewhere: " + missing, missing);
        }
    }

    private static Field field(Class<?> holder, String name) throws NoSuchFieldException {
        for (Class<?> type = holder; type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return opened(field);
                }
            }
        }
        throw new NoSuchFieldException(holder.getName() + "." + name);
    }

    private static <M extends AccessibleObject> M opened(M member) {
        member.setAccessible(true);
        return member;
    }
}
