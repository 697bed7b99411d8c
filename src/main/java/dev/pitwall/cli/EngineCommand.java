package dev.pitwall.cli;

import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.live.LiveEngine;
import dev.pitwall.engine.live.Mode;
import dev.pitwall.engine.live.Preview;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.site.LiveSite;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pitwall engine}: the live engine of a site without a window. */
@Command(name = "engine", mixinStandardHelpOptions = true,
        description = {"Keeps the models of a site on its cards, without a window, until it is stopped.",
                "Of all engines of a cluster the one that holds its Lease decides; the others watch and wait."},
        footer = {"", "Exit codes: 0 done, 2 bad use, 3 it could not be known who decides, as the cluster was not reached."})
public final class EngineCommand implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration END = Duration.ofSeconds(10);

    /** Starts the engine of a site. */
    @FunctionalInterface
    public interface Engines {

        /** @param namespace of the Lease; empty takes that of one that is there */
        LiveEngine open(LiveSite site, Optional<String> namespace);
    }

    private final OpenSites openSites;
    private final Engines engines;
    private final Output output;

    @Option(names = "--site", paramLabel = "NAME|FILE",
            description = "A saved site, a site file or a kubeconfig; without it the practice lab is started.")
    private String site;

    @Option(names = "--mode", paramLabel = "MODE",
            description = {"automatic, suggest or manual; without it the site's own, suggest at first.",
                    "It is set once this engine decides."})
    private Mode mode;

    @Option(names = "--namespace", paramLabel = "NAME", description = {"Where the Lease \"pitwall-engine\" is made, if there is none in the cluster",
            "(default: \"default\")."})
    private String namespace;

    @Option(names = "--seconds", paramLabel = "N", description = "End by itself after N seconds.")
    private Integer seconds;

    @Option(names = "--json", description = "At the end print one JSON document instead of lines.")
    private boolean json;

    public EngineCommand(OpenSites openSites, Engines engines, Output output) {
        this.openSites = openSites;
        this.engines = engines;
        this.output = output;
    }

    @Override
    public Integer call() {
        if (seconds != null && seconds < 1) {
            return output.badUse("--seconds", "it must be 1 or more, not " + seconds);
        }
        CountDownLatch closed = new CountDownLatch(1);
        Thread stopping = stopping(closed);
        Runtime.getRuntime().addShutdownHook(stopping);
        try (OpenSite open = openSites.open(site)) {
            return run(open.live());
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        } finally {
            closed.countDown();
            forget(stopping);
        }
    }

    /** A process that is told to end gives the Lease back first, so that another engine need not wait. */
    private static Thread stopping(CountDownLatch closed) {
        Thread running = Thread.currentThread();
        return Thread.ofPlatform().unstarted(() -> {
            running.interrupt();
            try {
                closed.await(END.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void forget(Thread stopping) {
        try {
            Runtime.getRuntime().removeShutdownHook(stopping);
        } catch (IllegalStateException ending) {
            // It is the end already.
        }
    }

    private int run(LiveSite live) {
        EngineReport report = new EngineReport(live.site().name());
        try (LiveEngine engine = engines.open(live, Optional.ofNullable(namespace))) {
            watch(engine, report);
            if (json) {
                output.json(report.json(engine.view(), engine.charge()));
            }
            return switch (engine.charge()) {
                case Charge.State.Here _, Charge.State.Free _, Charge.State.Elsewhere _ -> ExitCode.FINE;
                case Charge.State.Looking _, Charge.State.Unknown _ -> ExitCode.UNREACHABLE;
            };
        }
    }

    private void watch(LiveEngine engine, EngineReport report) {
        long end = System.nanoTime() + (seconds == null ? Long.MAX_VALUE / 2 : TimeUnit.SECONDS.toNanos(seconds));
        try {
            while (System.nanoTime() < end) {
                WallView view = engine.view();
                report.charge(engine.charge()).ifPresent(output::note);
                report.fresh(view).forEach(line -> {
                    if (!json) {
                        output.text(line + "\n");
                    }
                });
                set(engine, view);
                TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
            }
        } catch (InterruptedException e) {
            output.note("stopped");
        }
    }

    private void set(LiveEngine engine, WallView view) {
        if (mode != null && view.mode() != mode) {
            Wish wish = new Wish.SetMode(mode);
            switch (engine.preview(wish)) {
                case Preview.Possible _ -> engine.ask(wish);
                case Preview.Refused _ -> { }
            }
        }
    }
}
