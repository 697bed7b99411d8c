package dev.pitwall.journey.run;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.HostReboot;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
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
    private static final Set<Trouble.Kind> FINAL =
            EnumSet.of(Trouble.Kind.TRUST, Trouble.Kind.CREDENTIALS, Trouble.Kind.RIGHTS);

    private final HostReboot change;
    private final HostWays ways;
    private final Patience patience;

    HostRebootMaking(HostReboot change, HostWays ways, Patience patience) {
        this.change = change;
        this.ways = ways;
        this.patience = patience;
    }

    @Override
    public Optional<String> mark() throws TroubleException, InterruptedException {
        return Optional.of(ways.boot().mark());
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        return mark.isEmpty() ? guests() : sinceMark(mark.get());
    }

    private Standing sinceMark(String mark) throws TroubleException, InterruptedException {
        if (!ways.boot().after(mark)) {
            return Standing.BEFORE;
        }
        ways.apiAnswers();
        return Standing.AFTER;
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
        Instant asked = patience.now();
        ask();
        Patience.Looks looks = patience.looks();
        while (!back(mark.orElseThrow())) {
            if (patience.past(asked.plus(change.limit()))) {
                throw Refusal.silent(change.host(), "it was rebooted and is not back after "
                        + Spans.words(change.limit()), "Look at its console; go on with the run when it is up.");
            }
            looks.untilNext();
        }
        return "back after " + Spans.words(Duration.between(asked, patience.now()));
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

    /**
     * While it goes down and comes up, connections are refused, hang, or are answered by another node with 595 or 596.
     * A changed key or a refused login will not pass by itself, and logins are not to be tried again and again.
     */
    private boolean back(String mark) throws TroubleException, InterruptedException {
        try {
            return sinceMark(mark) instanceof Standing.After;
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
