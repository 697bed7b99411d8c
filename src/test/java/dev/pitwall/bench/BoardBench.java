package dev.pitwall.bench;

import dev.pitwall.ui.PitwallApp;
import dev.pitwall.ui.SampleRest;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.board.SampleEngine;
import dev.pitwall.ui.board.SampleWall;
import dev.pitwall.ui.shell.Page;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javafx.application.Platform;
import javafx.scene.Node;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.ScrollPane;
import javafx.stage.Window;

/**
 * The Board of the real window with 64 cards and 1,000 placements that change 50 times a second. Arguments:
 * {@code SECONDS CARDS PLACEMENTS}; prints the longest time the window did not react: while the page opens for the first and
 * the second time, and while it shows and is scrolled from end to end. Under a display or Xvfb it draws there; headless with
 * {@code -Dglass.platform=Headless -Dprism.order=sw}. The window's own options ({@code window.java} in pom.xml) belong to it:
 * what they choose of collector and compiler is what a person gets.
 */
public final class BoardBench {

    private static final int CHANGES_A_SECOND = 50;
    private static final int BEFORE_SECONDS = 4;
    private static final int OPENING_SECONDS = 3;

    private BoardBench() {
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        int cards = args.length > 1 ? Integer.parseInt(args[1]) : 64;
        int placements = args.length > 2 ? Integer.parseInt(args[2]) : 1000;
        SampleEngine engine = new SampleEngine(SampleWall.fleet(cards, placements, 0));
        SampleRest rest = new SampleRest(SampleSite.view(SampleSite.fleet(cards)));
        rest.save(SampleSite.SITE);
        rest.engines(_ -> Optional.of(engine));
        Path memory = Files.createTempDirectory("pitwall").resolve("window.properties");
        PitwallApp.open(rest::dependencies, Optional.empty(), memory, window -> drive(engine, cards, placements, seconds, window));
    }

    private static void drive(SampleEngine engine, int cards, int placements, int seconds, PitwallApp.Opened window) {
        int[] round = {0};
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(2, Thread.ofPlatform().daemon().factory());
        timer.scheduleAtFixedRate(() -> {
            int now = round[0]++;
            engine.change(_ -> SampleWall.fleet(cards, placements, now));
        }, 500, 1000 / CHANGES_A_SECOND, TimeUnit.MILLISECONDS);
        timer.schedule(() -> {
            window.stalls().reset();
            Platform.runLater(() -> click(Page.BOARD));
        }, BEFORE_SECONDS, TimeUnit.SECONDS);
        timer.schedule(() -> {
            report("opening", window, round[0]);
            Platform.runLater(() -> click(Page.JOURNAL));
        }, BEFORE_SECONDS + OPENING_SECONDS, TimeUnit.SECONDS);
        timer.schedule(() -> {
            window.stalls().reset();
            Platform.runLater(() -> click(Page.BOARD));
        }, BEFORE_SECONDS + 2 * OPENING_SECONDS, TimeUnit.SECONDS);
        timer.schedule(() -> {
            report("opening again", window, round[0]);
            window.stalls().reset();
            timer.scheduleAtFixedRate(() -> Platform.runLater(() -> scroll(round[0])), 0, 40, TimeUnit.MILLISECONDS);
        }, BEFORE_SECONDS + 3 * OPENING_SECONDS, TimeUnit.SECONDS);
        timer.schedule(() -> {
            report("showing and scrolled", window, round[0]);
            System.exit(0);
        }, BEFORE_SECONDS + 3 * OPENING_SECONDS + seconds, TimeUnit.SECONDS);
    }

    private static void report(String what, PitwallApp.Opened window, int rounds) {
        System.out.printf("%-22s longest stall %d ms, most processor time between two answers %d ms, %d over 100 ms; %d views so far%n",
                what, window.stalls().longest().toMillis(), window.stalls().busiest().toMillis(), window.stalls().count(), rounds);
    }

    private static void click(Page page) {
        nodes(".rail-item").stream().skip(page.ordinal()).findFirst().ifPresent(item -> ((ButtonBase) item).fire());
    }

    /** From end to end, slowly enough to look at. */
    private static void scroll(int round) {
        nodes(".board-wall").forEach(wall -> ((ScrollPane) wall).setVvalue(Math.abs(Math.sin(round / 400.0))));
    }

    private static List<Node> nodes(String selector) {
        return Window.getWindows().stream().filter(w -> w.getScene() != null)
                .flatMap(w -> w.getScene().getRoot().lookupAll(selector).stream()).toList();
    }
}
