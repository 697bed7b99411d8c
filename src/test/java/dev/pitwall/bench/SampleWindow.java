package dev.pitwall.bench;

import dev.pitwall.ui.PitwallApp;
import dev.pitwall.ui.SampleRest;
import dev.pitwall.ui.SampleSite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javafx.application.Platform;
import javafx.stage.Stage;

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
        AtomicReference<Optional<PitwallApp>> app = new AtomicReference<>(Optional.empty());
        Platform.startup(() -> {
            app.set(Optional.of(new PitwallApp(rest::dependencies, memory)));
            app.get().orElseThrow().start(new Stage());
        });
        if (seconds > 0) {
            int[] round = {0};
            var timer = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
            timer.scheduleAtFixedRate(() -> rest.push(SampleSite.view(
                    round[0]++ % 2 == 0 ? SampleSite.fleet(cards) : SampleSite.fleet(cards).reversed().stream()
                            .map(c -> SampleSite.moved(SampleSite.pluginFailing(), c.host(),
                                    c.address().orElseThrow().toString())).toList())), 500, 100, TimeUnit.MILLISECONDS);
            Thread.sleep(Duration.ofSeconds(seconds));
            var stalls = app.get().orElseThrow().stalls();
            System.err.println("longest stall " + stalls.longest().toMillis() + " ms, " + stalls.count() + " over 100 ms");
            System.exit(0);
        }
    }
}
