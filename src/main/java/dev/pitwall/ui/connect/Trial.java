package dev.pitwall.ui.connect;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Hop;
import dev.pitwall.site.Identity;
import dev.pitwall.site.Reachability;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The test of one connection: its hops as they are gone, and how it ended. To be used on the window's thread. */
final class Trial {
    private static final Logger LOG = LoggerFactory.getLogger(Trial.class);

    private final Executor background;
    private final Executor window;
    private final Runnable changed;
    private Standing standing = Standing.UNTESTED;
    private List<Hop> hops = List.of();
    private Optional<Reachability.Outcome> outcome = Optional.empty();
    private Optional<FutureTask<Void>> running = Optional.empty();
    private int planned;
    /** Counts the tests, so that one that was ended is not heard any more. */
    private int round;

    /** Goes the way, off the window's thread. */
    @FunctionalInterface
    interface Way {
        Reachability.Outcome go(Consumer<List<Hop>> progress) throws TroubleException;
    }

    /** @param changed called after every change, on the window's thread */
    Trial(Executor background, Executor window, Runnable changed) {
        this.background = background;
        this.window = window;
        this.changed = changed;
    }

    /** {@code UNTESTED}, {@code TESTING}, {@code ASKS}, {@code THROUGH} or {@code REFUSED}. */
    Standing standing() {
        return standing;
    }

    List<Hop> hops() {
        return hops;
    }

    Optional<Identity> identity() {
        return outcome.flatMap(Reachability.Outcome::identity);
    }

    List<String> notes() {
        return outcome.map(Reachability.Outcome::notes).orElse(List.of());
    }

    List<Reachability.Peer> peers() {
        return outcome.map(Reachability.Outcome::peers).orElse(List.of());
    }

    /** The hops that were refused; a connection that got through may have some, for its peers. */
    List<Hop> refused() {
        return hops.stream().filter(h -> h.state() == Hop.State.REFUSED).toList();
    }

    /** Starts the test anew; one that runs is ended. */
    void run(String where, Way way) {
        cancel();
        standing = Standing.TESTING;
        hops = List.of();
        planned = 0;
        int mine = round;
        FutureTask<Void> task = new FutureTask<>(() -> go(where, way, mine), null);
        running = Optional.of(task);
        changed.run();
        background.execute(task);
    }

    private void go(String where, Way way, int mine) {
        try {
            Reachability.Outcome end = way.go(now -> onWindow(mine, () -> show(now)));
            onWindow(mine, () -> end(end));
        } catch (TroubleException e) {
            onWindow(mine, () -> end(refused(where, e.trouble())));
        } catch (RuntimeException e) {
            LOG.error("testing {} failed in an unforeseen way", where, e);
            onWindow(mine, () -> end(refused(where, new Trouble(Trouble.Kind.UNREADABLE, where,
                    "the test ended in a way Pitwall did not foresee",
                    "Look into Pitwall's log for the details and report them."))));
        }
    }

    private static Reachability.Outcome refused(String where, Trouble trouble) {
        return new Reachability.Outcome(List.of(Hop.refused(where, trouble, Duration.ZERO)), Optional.empty(),
                List.of());
    }

    /** What an ended test still says is not shown any more. */
    private void onWindow(int mine, Runnable action) {
        window.execute(() -> {
            if (mine == round) {
                action.run();
                changed.run();
            }
        });
    }

    private void show(List<Hop> now) {
        planned = planned == 0 ? now.size() : planned;
        hops = now;
    }

    private void end(Reachability.Outcome end) {
        show(end.hops());
        outcome = Optional.of(end);
        running = Optional.empty();
        standing = judge(end);
    }

    /** Hops that were added on the way are those to peers: the connection is of use without them. */
    private Standing judge(Reachability.Outcome end) {
        if (end.hops().stream().anyMatch(h -> h.state() == Hop.State.ASKS)) {
            return Standing.ASKS;
        }
        List<Hop> way = end.peers().isEmpty() ? end.hops() : end.hops().subList(0, planned);
        return !way.isEmpty() && way.stream().allMatch(h -> h.state() == Hop.State.OK) ? Standing.THROUGH
                : Standing.REFUSED;
    }

    /** Something that was tested has changed. What was found stays to be read, but counts no more. */
    void stale() {
        cancel();
        standing = Standing.UNTESTED;
    }

    /** It is another system now. */
    void forget() {
        stale();
        hops = List.of();
        outcome = Optional.empty();
    }

    /** Ends a test that runs. */
    void cancel() {
        round++;
        running.ifPresent(r -> r.cancel(true));
        running = Optional.empty();
        standing = standing == Standing.TESTING ? Standing.UNTESTED : standing;
    }
}
