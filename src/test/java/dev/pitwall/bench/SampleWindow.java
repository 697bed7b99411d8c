package dev.pitwall.bench;

import dev.pitwall.ui.PitwallApp;
import dev.pitwall.ui.SampleRest;
import dev.pitwall.ui.SampleSite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The real window on sample data. Arguments: {@code CARDS SECONDS}; after so many seconds, with ten changed views in each,
 * it prints the longest time the window did not react, and ends.
 */
public final class SampleWindow {

    private SampleWindow() {
    }

    public static void main(String[] args) throws Exception {
        int cards = args.length > 0 ? Integer.parseInt(args[0]) : 0;
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 0;
        SampleRest rest = new SampleRest(cards == 0 ? SampleSite.view() : SampleSite.view(SampleSite.fleet(cards)));
        rest.save(SampleSite.SITE);
        Path memory = Files.createTempDirectory("pitwall").resolve("window.properties");
        PitwallApp.open(rest::dependencies, memory, window -> {
            if (seconds > 0) {
                drive(rest, cards, seconds, window);
            }
        });
    }

    /** Moves every card ten times a second, then prints what the window made of it and ends. */
    private static void drive(SampleRest rest, int cards, int seconds, PitwallApp.Opened window) {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().factory());
        int[] round = {0};
        timer.scheduleAtFixedRate(() -> rest.push(SampleSite.view(
                round[0]++ % 2 == 0 ? SampleSite.fleet(cards) : SampleSite.fleet(cards).reversed().stream()
                        .map(c -> SampleSite.moved(SampleSite.pluginFailing(), c.host(),
                                c.address().orElseThrow().toString())).toList())), 500, 100, TimeUnit.MILLISECONDS);
        timer.schedule(() -> {
            System.err.println("longest stall " + window.stalls().longest().toMillis() + " ms, "
                    + window.stalls().count() + " over 100 ms");
            System.exit(0);
        }, seconds, TimeUnit.SECONDS);
    }
}
