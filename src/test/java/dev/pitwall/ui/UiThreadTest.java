package dev.pitwall.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javafx.application.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;

@OneWindow
class UiThreadTest {

    private UiThread ui;

    @BeforeEach
    void start() throws Exception {
        FxToolkit.registerPrimaryStage();
        ui = new UiThread();
    }

    @AfterEach
    void stop() {
        ui.close();
    }

    @Test
    void aFloodIsDrawnFewTimesAndItsLastValueAlways() {
        List<Integer> drawn = new CopyOnWriteArrayList<>();
        Consumer<Integer> setter = ui.latest(Duration.ofMillis(50), drawn::add);
        long started = System.nanoTime();
        for (int i = 1; i <= 100_000; i++) {
            setter.accept(i);
        }
        await().until(() -> drawn.contains(100_000));
        long rounds = Duration.ofNanos(System.nanoTime() - started).toMillis() / 50 + 2;
        assertThat(drawn).hasSizeLessThanOrEqualTo((int) rounds).isSorted();
    }

    @Test
    void drawingHappensOnTheJavaFxThread() {
        List<Boolean> there = new CopyOnWriteArrayList<>();
        ui.latest(Duration.ZERO, _ -> there.add(Platform.isFxApplicationThread())).accept("x");
        await().until(() -> there.contains(true));
    }

    @Test
    void aStallIsMeasuredAndCounted() throws InterruptedException {
        ui.stalls().start();
        CountDownLatch release = new CountDownLatch(1);
        ui.later(() -> {
            try {
                release.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        await().until(() -> ui.stalls().longest().compareTo(StallWatch.LIMIT) > 0);
        release.countDown();
        await().until(() -> ui.stalls().count() > 0);
    }

    @Test
    void nothingIsLeftBehindWhenItIsClosed() {
        ui.every(Duration.ofMillis(10), () -> { });
        ui.close();
        await().until(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(t -> t.getName().equals("ui-pace")));
    }
}
