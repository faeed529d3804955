package m0.host;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * What a start depends on beside its settings, as its checks look at it: the JVM it runs on, and what
 * its process was given.
 *
 * <p>As it stands here nothing stands in the way: a server inside another program finds out by itself,
 * as it binds.
 *
 * <p>Threads: the one that starts. Errors: what an operator has to mend is a failed check.
 */
interface Surroundings {
    /**
     * Where a supervisor would put what its workers share, and how much fits there.
     *
     * @param freeBytes {@link #UNKNOWN} where the place does not say it
     */
    record Room(Path parent, long freeBytes) {
        static final long UNKNOWN = Long.MAX_VALUE;
    }

    /** The release of the JDK that is to serve. */
    default int jdk() {
        return Runtime.version().feature();
    }

    /** Why this JVM serves nothing, or null. */
    default Check missingOpening() {
        return null;
    }

    /** Why this JVM can give workers no listener, or null. */
    default Check missingOpeningForWorkers() {
        return null;
    }

    /** The address of the listening socket that this process was started with, or null. */
    default InetSocketAddress givenAddress() {
        return null;
    }

    /** Why this process is not to bind a port of its own, or null. */
    default Check unservedSocket(Environment environment) {
        return null;
    }

    /** What is free for what workers share. */
    default Room room() {
        return new Room(Path.of(""), Room.UNKNOWN);
    }

    /** Of a server inside another program. */
    static Surroundings ofAProgram() {
        return new Surroundings() { };
    }

    /** Of a process that is a host. */
    static Surroundings ofThisProcess() {
        return new Surroundings() {
            @Override
            public Check missingOpening() {
                return AgronaOpening.refusal();
            }

            @Override
            public Check missingOpeningForWorkers() {
                return DescriptorPassing.refusal();
            }

            @Override
            public InetSocketAddress givenAddress() {
                try {
                    return Listener.given();
                } catch (IOException failure) {
                    // The start says it, as it is about to listen.
                    return null;
                }
            }

            @Override
            public Check unservedSocket(Environment environment) {
                try {
                    return Listener.refusal(environment);
                } catch (IOException failure) {
                    // The start says it, as it is about to listen.
                    return null;
                }
            }

            @Override
            public Room room() {
                return SharedFiles.room();
            }
        };
    }
}
