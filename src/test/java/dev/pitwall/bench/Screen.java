package dev.pitwall.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the windows show: the display that is there, else an Xvfb of our own, else nowhere.
 *
 * @param display value of {@code DISPLAY}; empty where JavaFX draws headless
 */
record Screen(Optional<String> display, Optional<Process> server) implements AutoCloseable {

    static Screen open() throws IOException {
        Optional<String> given = Optional.ofNullable(System.getenv("DISPLAY")).filter(d -> !d.isBlank());
        if (given.isPresent() || !Files.isExecutable(Path.of("/usr/bin/Xvfb"))) {
            return new Screen(given, Optional.empty());
        }
        Process xvfb = new ProcessBuilder("/usr/bin/Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten",
                "tcp").redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String number = xvfb.inputReader().readLine();
        return new Screen(Optional.of(":" + number), Optional.of(xvfb));
    }

    String name() {
        return server.isPresent() ? "Xvfb" : display.orElse("headless");
    }

    /** What the JVM needs for it. */
    List<String> options() {
        return display.isPresent() || !System.getProperty("os.name").equals("Linux") ? List.of()
                : List.of("-Dglass.platform=Headless", "-Dprism.order=sw");
    }

    @Override
    public void close() {
        server.ifPresent(Process::destroy);
    }
}
