package dev.pitwall.bench;

import dev.pitwall.card.Card;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.PitwallApp;
import dev.pitwall.ui.SampleRest;
import dev.pitwall.ui.SampleSite;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javafx.animation.AnimationTimer;

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
        PitwallApp.open(rest::dependencies, Optional.empty(), memory, window -> {
            if (seconds > 0) {
                drive(rest, cards, seconds, window);
            }
        });
    }

    private static void drive(SampleRest rest, int cards, int seconds, PitwallApp.Opened window) {
        FrameCost cost = new FrameCost();
        cost.start();
        int[] round = {0};
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().factory());
        timer.scheduleAtFixedRate(() -> rest.push(changed(cards, round[0]++)), 500, 100, TimeUnit.MILLISECONDS);
        timer.schedule(() -> {
            System.err.printf("longest stall %d ms, %d over 100 ms%n", window.stalls().longest().toMillis(),
                    window.stalls().count());
            System.err.println(cost);
            System.exit(0);
        }, seconds, TimeUnit.SECONDS);
    }

    /** Every card's figures move; one card in ten changes its state each second. */
    private static SiteView changed(int cards, int round) {
        List<Card> result = new ArrayList<>();
        int index = 0;
        for (Card card : SampleSite.fleet(cards)) {
            boolean broken = (index++ + round / 10) % 10 == 0;
            result.add(broken ? SampleSite.moved(SampleSite.pluginFailing(), card.host(),
                    card.address().orElseThrow().toString()) : SampleSite.busy(card, (round * 7 + index) % 100));
        }
        return SampleSite.view(result);
    }

    /** How much processor time each frame takes on the JavaFX thread, which does not depend on what else is running. */
    private static final class FrameCost extends AnimationTimer {
        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        private final List<Long> frames = new ArrayList<>();
        private long before;

        @Override
        public void handle(long now) {
            long cpu = threads.getCurrentThreadCpuTime();
            if (before != 0) {
                frames.add((cpu - before) / 1_000_000);
            }
            before = cpu;
        }

        @Override
        public String toString() {
            List<Long> sorted = frames.stream().sorted(Comparator.reverseOrder()).toList();
            return "first " + frames.stream().limit(30).toList() + "\nframes " + frames.size() + ", dearest in ms of CPU " + sorted.stream().limit(12).toList() + ", median "
                    + sorted.get(sorted.size() / 2);
        }
    }
}
