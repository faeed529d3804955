package m0.host;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;

/**
 * Gives a new process the descriptor of a channel of this one, as its stdin, stdout or stderr.
 *
 * <p>The JDK has no way to say so. But the redirect that {@code ProcessBuilder.startPipeline} makes
 * for itself holds a descriptor, which the child then has in the place of the stream; so one of those
 * is made by reflection, with the channel's number in it.
 *
 * <p>Threads: any. Errors: where the JDK keeps its fields to itself, {@link #refusal} says which flags
 * open them; where it has none of these fields, that they are missing.
 */
final class DescriptorPassing {
    private static final String[] OPENED = {"java.lang", "java.io", "sun.nio.ch"};

    /** POSIX, {@code shutdown}: no more is received, which to a listener is who connects. */
    private static final int SHUT_RD = 0;

    private DescriptorPassing() {
    }

    /** Why this JVM cannot do it, with the flags to add, or null. */
    static Check refusal() {
        StringBuilder closed = new StringBuilder();
        StringBuilder flags = new StringBuilder();
        for (String opened : OPENED) {
            if (!Object.class.getModule().isOpen(opened, DescriptorPassing.class.getModule())) {
                closed.append(closed.length() == 0 ? "" : ", ").append(opened);
                flags.append(" --add-opens java.base/").append(opened).append("=ALL-UNNAMED");
            }
        }
        return closed.length() == 0 ? triedRefusal() : refusal("java.base does not open " + closed
                + ", so no worker can be given the listener", "start with java -jar host.jar, or add"
                        + flags + " to the command line of java; or ");
    }

    /** Tries it on a channel that nobody uses, so that a refusal comes before anything is bound. */
    private static Check triedRefusal() {
        try (ServerSocketChannel tried = ServerSocketChannel.open()) {
            redirect(tried);
            return null;
        } catch (IOException | ReflectiveOperationException | RuntimeException other) {
            return refusal("this JDK holds descriptors otherwise than 17 to 25, so no worker can be"
                    + " given the listener: " + other, "");
        }
    }

    private static Check refusal(String finding, String otherFix) {
        return Check.refuses("workers-count", finding, otherFix + Settings.fix(Setting.WORKERS, "1"));
    }

    /** A stream of a new process that is that channel's descriptor. */
    static Redirect redirect(Channel channel) throws ReflectiveOperationException {
        Constructor<?> constructor = opened(
                Class.forName("java.lang.ProcessBuilder$RedirectPipeImpl").getDeclaredConstructor());
        Redirect made = (Redirect) constructor.newInstance();
        Object descriptor = field(made.getClass(), "fd").get(made);
        Field number = field(FileDescriptor.class, "fd");
        number.set(descriptor, number.get(field(channel.getClass(), "fd").get(channel)));
        return made;
    }

    /**
     * Whoever holds that listener, nobody comes to it any more: to close it would leave it listening
     * in the processes that it was passed to, and there is no other way in the JDK to say so.
     */
    static void stopListening(ServerSocketChannel listener)
            throws IOException, ReflectiveOperationException {
        Method shutdown = opened(Class.forName("sun.nio.ch.Net")
                .getDeclaredMethod("shutdown", FileDescriptor.class, int.class));
        try {
            shutdown.invoke(null, field(listener.getClass(), "fd").get(listener), SHUT_RD);
        } catch (InvocationTargetException refused) {
            throw new IOException(Failure.line(refused.getCause()), refused);
        }
    }

    /** The field of that name in a class or in one that it extends. */
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
