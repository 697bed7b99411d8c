package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.NodeReboot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Empties a node, reboots its machine, and lets it take pods again if it took some before. What is done is told by the
 * machine's boot and by the boot that its kubelet reports, so a run that died goes on wherever it was.
 */
final class NodeRebootMaking implements Making {
    private final NodeReboot change;
    private final HostWays ways;
    private final Emptying nodes;
    private final Patience patience;

    NodeRebootMaking(NodeReboot change, HostWays ways, Emptying nodes, Patience patience) {
        this.change = change;
        this.ways = ways;
        this.nodes = nodes;
        this.patience = patience;
    }

    @Override
    public Optional<String> mark() throws TroubleException, InterruptedException {
        return Optional.of(ways.boot().mark() + nodes.mark());
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        if (mark.isEmpty()) {
            return nodes.surprise().<Standing>map(Standing.Other::new).orElse(Standing.BEFORE);
        }
        return back(mark.get()) && nodes.reopened(mark.get()) ? Standing.AFTER : Standing.BEFORE;
    }

    private boolean back(String mark) throws TroubleException, InterruptedException {
        return ways.boot().after(Emptying.ofMachine(mark)) && nodes.back(mark);
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        String before = mark.orElseThrow();
        Instant asked = patience.now();
        if (!ways.boot().after(Emptying.ofMachine(before))) {
            nodes.empty(before);
            asked = patience.now();
            ways.run(List.of("systemctl", "reboot"));
        }
        Duration away = new Return(change.machine(), change.limit(), patience).await(asked, () -> back(before));
        nodes.reopen(before);
        return "back after " + Spans.words(away);
    }

    @Override
    public Duration patience(Patience usual) {
        return change.limit();
    }
}
