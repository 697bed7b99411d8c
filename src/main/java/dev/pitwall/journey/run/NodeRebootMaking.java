package dev.pitwall.journey.run;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.NodeReboot;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Empties a node, reboots its machine, and lets it take pods again if it took some before. What is done is told by the
 * machine's boot and by the boot that its kubelet reports, so a run that died goes on wherever it was.
 */
final class NodeRebootMaking implements Making {
    private static final Set<Trouble.Kind> FINAL =
            EnumSet.of(Trouble.Kind.TRUST, Trouble.Kind.CREDENTIALS, Trouble.Kind.RIGHTS);
    /** It took no new pods before, and shall not afterwards. */
    private static final String CLOSED = " closed";

    private final NodeReboot change;
    private final HostWays ways;
    private final Optional<NodeDrain> drain;
    private final Patience patience;

    NodeRebootMaking(NodeReboot change, HostWays ways, Optional<NodeDrain> drain, Patience patience) {
        this.change = change;
        this.ways = ways;
        this.drain = drain;
        this.patience = patience;
    }

    @Override
    public Optional<String> mark() throws TroubleException, InterruptedException {
        boolean closed = drain.isPresent() && drain.get().cordoned();
        return Optional.of(ways.boot().mark() + (closed ? CLOSED : ""));
    }

    private static String boot(String mark) {
        return mark.endsWith(CLOSED) ? mark.substring(0, mark.length() - CLOSED.length()) : mark;
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        if (mark.isEmpty()) {
            Optional<String> surprise = drain.isPresent() ? drain.get().surprise() : Optional.empty();
            return surprise.<Standing>map(Standing.Other::new).orElse(Standing.BEFORE);
        }
        Boot now = ways.boot();
        if (!now.after(boot(mark.get())) || drain.isEmpty()) {
            return now.after(boot(mark.get())) ? Standing.AFTER : Standing.BEFORE;
        }
        return ready(now) && drain.get().cordoned() == mark.get().endsWith(CLOSED) ? Standing.AFTER : Standing.BEFORE;
    }

    private boolean ready(Boot now) throws TroubleException, InterruptedException {
        return drain.orElseThrow().readyBoot().filter(id -> switch (now) {
            case Boot.Id own -> own.id().equals(id);
            case Boot.Began began -> true;
        }).isPresent();
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        String before = boot(mark.orElseThrow());
        Instant asked = patience.now();
        if (!ways.boot().after(before)) {
            if (drain.isPresent()) {
                drain.get().empty();
            }
            asked = patience.now();
            ways.run(List.of("systemctl", "reboot"));
        }
        Patience.Looks looks = patience.looks();
        while (!back(before)) {
            if (patience.past(asked.plus(change.limit()))) {
                throw Refusal.silent(change.machine(), "it was rebooted and is not back after "
                        + Spans.words(change.limit()), "Look at its console; go on with the run when it is up.");
            }
            looks.untilNext();
        }
        Duration away = Duration.between(asked, patience.now());
        if (drain.isPresent() && !mark.get().endsWith(CLOSED)) {
            drain.get().cordon(false);
        }
        return "back after " + Spans.words(away);
    }

    /** While it is away its shell does not answer, and where the cluster's API runs on it, that does not either. */
    private boolean back(String before) throws TroubleException, InterruptedException {
        try {
            Boot now = ways.boot();
            return now.after(before) && (drain.isEmpty() || ready(now));
        } catch (TroubleException e) {
            if (FINAL.contains(e.trouble().kind())) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public Duration patience(Patience usual) {
        return change.limit();
    }
}
