package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Proxmox.Call;
import dev.pitwall.journey.Proxmox.Method;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.VmPowerCycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Lets a guest shut down, and starts its VM again. Tasks are waited for but not believed: those of a VM under HA end
 * before anything has happened, so the VM itself is looked at (facts 1.11).
 */
final class VmPowerCycleMaking implements Making {
    /** The task that waits for a guest ends a little later than the guest's time. */
    private static final Duration TASK = Duration.ofMinutes(1);

    /** How long its node may take from the start of the VM until it is ready. */
    private static final Duration RETURN = Duration.ofMinutes(10);

    private final VmPowerCycle change;
    private final Proxmox proxmox;
    private final Emptying nodes;
    private final Patience patience;
    private final String path;

    VmPowerCycleMaking(VmPowerCycle change, Proxmox proxmox, Emptying nodes, Patience patience) {
        this.change = change;
        this.proxmox = proxmox;
        this.nodes = nodes;
        this.patience = patience;
        this.path = "nodes/" + change.node() + "/qemu/" + change.vmid() + "/status/";
    }

    private VmLife life() throws TroubleException, InterruptedException {
        return VmLife.of(proxmox.get(path + "current"));
    }

    @Override
    public Optional<String> mark() throws TroubleException, InterruptedException {
        return Optional.of(life().mark() + nodes.mark());
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        VmLife now = life();
        if (mark.isEmpty()) {
            Optional<String> hindrance = now.hindrance().map(h -> "VM " + change.vmid() + " " + h);
            return (hindrance.isPresent() ? hindrance : nodes.surprise()).<Standing>map(Standing.Other::new)
                    .orElse(Standing.BEFORE);
        }
        return now.running() && now.startedAfter(Emptying.ofMachine(mark.get())) && nodes.back(mark.get())
                && nodes.reopened(mark.get()) ? Standing.AFTER : Standing.BEFORE;
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        String before = mark.orElseThrow();
        VmLife now = life();
        boolean wasOn = now.on();
        if (wasOn && !now.startedAfter(Emptying.ofMachine(before))) {
            nodes.empty(before);
            shutDown();
        }
        start();
        new Return(place(), RETURN, patience).await(patience.now(), () -> nodes.back(before));
        nodes.reopen(before);
        return wasOn ? "shut down by its guest, and started" : "started";
    }

    private void shutDown() throws TroubleException, InterruptedException {
        Instant end = patience.in(change.shutdown());
        Optional<String> task = proxmox.send(Call.of(Method.POST, path + "shutdown",
                Map.of("timeout", Long.toString(change.shutdown().toSeconds()))));
        if (task.isPresent()) {
            proxmox.await(task.get(), change.shutdown().plus(TASK), line -> { });
        }
        Patience.Looks looks = patience.looks();
        while (life().on()) {
            if (patience.past(end)) {
                throw Refusal.failed(place(), "its guest did not shut down within " + Spans.words(change.shutdown())
                        + "; nothing was cut off", "Shut it down from inside, then go on.");
            }
            looks.untilNext();
        }
    }

    private void start() throws TroubleException, InterruptedException {
        Instant end = patience.in(change.start());
        if (!life().on()) {
            send();
        }
        Patience.Looks looks = patience.looks();
        while (!life().running()) {
            if (patience.past(end)) {
                throw Refusal.failed(place(), "it was started and does not run after " + Spans.words(change.start()),
                        "Read the log of its start task in Proxmox.");
            }
            looks.untilNext();
        }
    }

    private void send() throws TroubleException, InterruptedException {
        Optional<String> task = proxmox.send(Call.of(Method.POST, path + "start", Map.of()));
        if (task.isEmpty()) {
            return;
        }
        Proxmox.TaskEnd end = proxmox.await(task.get(), change.start(), line -> { });
        // Somebody else, HA or the host's own start of guests, may have been quicker.
        if (!end.ok() && !life().on()) {
            throw Task.failed(place(), end);
        }
    }

    private String place() {
        return "VM " + change.vmid() + " on " + change.node();
    }
}
