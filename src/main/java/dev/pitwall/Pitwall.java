package dev.pitwall;

import java.util.Optional;

/** Entry point: a window without a command, else the command line. */
public final class Pitwall {
    private Pitwall() {
    }

    public static void main(String[] args) {
        Optional<WindowOptions> window = WindowOptions.parse(args);
        if (window.isPresent()) {
            WindowStart.open(window.get());
        } else {
            CommandLog.intoItsFile();
            System.exit(new Commands().run(args));
        }
    }

    /** The version of the jar this runs from; {@code development} outside of one. */
    static String version() {
        return Optional.ofNullable(Pitwall.class.getPackage().getImplementationVersion()).orElse("development");
    }
}
