package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.ExitCode;
import dev.pitwall.site.Site;
import dev.pitwall.ui.PitwallApp;
import dev.pitwall.ui.UiDependencies;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Opens the window, or says why it cannot be opened and walks the tour instead. */
final class WindowStart {
    /** JavaFX warns that it is on the class path, which is how the jar is meant to run. Held, else the setting is lost. */
    private static final Logger JAVAFX_LOG = Logger.getLogger("javafx");

    /** Read by the JDK when the first virtual thread is made. */
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    private WindowStart() {
    }

    static void open(WindowOptions options) {
        leaveAProcessorToTheWindow();
        boolean headless = System.getProperty("glass.platform", "").equalsIgnoreCase("headless");
        Optional<String> obstacle = headless ? Optional.empty()
                : new DisplayCheck(System.getenv(), System.getProperty("os.name")).obstacle();
        if (obstacle.isPresent()) {
            System.err.println("pitwall: " + obstacle.get());
            System.err.println("  No window then: walking the tour of the practice lab without one.");
            System.exit(new Commands().run("tour"));
        }
        JAVAFX_LOG.setLevel(Level.SEVERE);
        try {
            PitwallApp.open(() -> dependencies(options), options.labScene(), WindowParts.windowMemory(), window -> options.smokeSeconds()
                    .ifPresent(seconds -> smoke(window, seconds)));
        } catch (TroubleException e) {
            end(e);
        }
    }

    /** All reading runs on virtual threads; on two processors their first rush would keep the window from drawing. */
    private static void leaveAProcessorToTheWindow() {
        int forReading = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
        if (System.getProperty(CARRIERS) == null) {
            System.setProperty(CARRIERS, String.valueOf(forReading));
        }
    }

    private static UiDependencies dependencies(WindowOptions options) {
        try {
            Wiring wiring = new Wiring();
            return new WindowParts(wiring).dependencies(first(options, wiring));
        } catch (TroubleException e) {
            end(e);
            throw new IllegalStateException("the process has ended", e);
        }
    }

    private static Optional<Site> first(WindowOptions options, Wiring wiring) throws TroubleException {
        if (options.labScene().isPresent()) {
            return Optional.of(wiring.labs().start(options.labScene().get()).site());
        }
        return options.site().isPresent() ? Optional.of(wiring.site(options.site().get())) : Optional.empty();
    }

    private static void end(TroubleException e) {
        System.err.println("pitwall: " + e.trouble().sentence());
        System.err.println("  " + e.trouble().next());
        System.exit(e.trouble().kind().unreachable() ? ExitCode.UNREACHABLE : ExitCode.BAD_USE);
    }

    /** Lets the window live for a while, prints what was measured, and closes it. */
    private static void smoke(PitwallApp.Opened window, int seconds) {
        Thread.ofVirtual().name("smoke").start(() -> {
            try {
                TimeUnit.NANOSECONDS.sleep(Duration.ofSeconds(seconds).toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            int cards = window.view().map(v -> v.cards().size()).orElse(0);
            System.out.printf(Locale.ROOT, "smoke: %d cards after %d s, longest stall %d ms (own work %d ms), %d stalls over 100 ms%n",
                    cards, seconds, window.stalls().longest().toMillis(), window.stalls().busiest().toMillis(),
                    window.stalls().count());
            window.close();
        });
    }
}
