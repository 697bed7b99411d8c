package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.Optional;

/**
 * A model server gets a model from where its models come from, or loses it. The server may be one that a change before
 * this one makes: it is waited for.
 *
 * @param cluster the cluster in the site
 * @param service in front of the server
 * @param port    of the service
 * @param after   whether the server has the model then
 * @param disk    whose the server's disk is: what is on a disk that the same run makes goes with it
 * @param bytes   size of the model's file as far as known; 0 where it is not
 * @param takes   how long it usually takes
 * @param limit   how long it may take, the server's start included
 */
public record ModelChange(String cluster, ObjectRef service, int port, String model, Presence after, Disk disk,
                          long bytes, Duration takes, Duration limit) implements Change {

    /** Whether a model is on a server's disk. */
    public enum Presence { PRESENT, ABSENT }

    /** Whose a server's disk is. */
    public enum Disk {
        /** It was there before. */
        THEIRS,
        /** It is made by the same run, and removed by its undo. */
        OURS
    }

    @Override
    public String system() {
        return cluster;
    }

    @Override
    public String target() {
        return "model " + model + " on " + service;
    }

    @Override
    public String summary() {
        return after == Presence.ABSENT ? "removed from its disk"
                : "pulled" + (bytes == 0 ? "" : ", " + (bytes + 500_000) / 1_000_000 + " MB");
    }

    @Override
    public Risk risk() {
        return Risk.NONE;
    }

    @Override
    public Optional<String> undo() {
        return Optional.of(after == Presence.ABSENT ? "pulls it again"
                : disk == Disk.OURS ? "goes with the server" : "removes the model");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(takes);
    }

    /** The change that takes this one back. */
    public ModelChange inverse() {
        return new ModelChange(cluster, service, port, model,
                after == Presence.PRESENT ? Presence.ABSENT : Presence.PRESENT, disk, bytes, takes, limit);
    }
}
