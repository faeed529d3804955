package m0.main;

import java.util.Arrays;
import m0.host.Host;
import m0.host.PublishCommand;
import m0.serve.ServeCommand;

/**
 * The jar's entry: {@code publish} sends events to the host whose child this process is;
 * {@code serve} serves a {@code HttpHandler} with applications mounted under prefixes; anything else
 * serves the application that {@code M0_APP} names.
 */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    private static int run(String[] args) {
        String command = args.length == 0 ? "" : args[0];
        if (command.equals(PublishCommand.NAME)) {
            return PublishCommand.run(Arrays.copyOfRange(args, 1, args.length), System.getenv(),
                    System.in, System.out, System.err);
        }
        return command.equals("serve") ? ServeCommand.run(args) : Host.serve(args);
    }
}
