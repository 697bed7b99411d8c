package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.HostReboot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reboots a host and waits until it is back. That it answers proves nothing, nor that it does not: its boot has to be
 * another one (facts 1.5).
 */
final class HostRebootMaking implements Making {
    private final HostReboot change;
    private final HostWays ways;
    private final Emptying nodes;
    private final Patience patience;

    HostRebootMaking(HostReboot change, HostWays ways, Emptying nodes, Patience patience) {
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
            Optional<String> surprise = nodes.surprise();
            return surprise.isPresent() ? new Standing.Other(surprise.get()) : guests();
        }
        return back(mark.get()) && nodes.reopened(mark.get()) ? Standing.AFTER : Standing.BEFORE;
    }

    private boolean booted(String mark) throws TroubleException, InterruptedException {
        return ways.boot().after(Emptying.ofMachine(mark));
    }

    private boolean back(String mark) throws TroubleException, InterruptedException {
        if (!booted(mark)) {
            return false;
        }
        ways.apiAnswers();
        return nodes.back(mark);
    }

    /** The person has agreed to stop the guests of the list and no others. */
    private Standing guests() throws TroubleException, InterruptedException {
        Optional<Proxmox> api = ways.api();
        if (api.isEmpty()) {
            return Standing.BEFORE;
        }
        Set<Integer> agreed = change.stops().stream().map(HostReboot.Guest::id).collect(Collectors.toSet());
        List<HostReboot.Guest> more = new RunningGuests(api.get(), change.host()).read().stream()
                .filter(g -> !agreed.contains(g.id())).toList();
        return more.isEmpty() ? Standing.BEFORE : new Standing.Other("guest " + more.getFirst().id() + " ("
                + more.getFirst().name() + ") on " + change.host() + " runs now, and would stop too");
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        String before = mark.orElseThrow();
        Instant asked = patience.now();
        if (!booted(before)) {
            nodes.empty(before);
            asked = patience.now();
            ask();
        }
        Duration away = new Return(change.host(), change.limit(), patience).await(asked, () -> back(before));
        nodes.reopen(before);
        return "back after " + Spans.words(away);
    }

    private void ask() throws TroubleException, InterruptedException {
        if (ways.shell().isPresent()) {
            ways.run(List.of("systemctl", "reboot"));
        } else {
            ways.api().orElseThrow(() -> Refusal.missing(change.host(),
                    "the site has neither a shell nor an API for it",
                    "Add one of them to the site.")).send(Proxmox.Call.of(Proxmox.Method.POST,
                    "nodes/" + change.host() + "/status", Map.of("command", "reboot")));
        }
    }

    @Override
    public Duration patience(Patience usual) {
        return change.limit();
    }
}
