package dev.pitwall.engine.live;

import dev.pitwall.engine.live.ProviderView.By;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeSet;

/** A load that was decided, from its place in the line to its end. */
final class Job {

    /** How far it is. */
    enum Stage { WAITING, MAKING_ROOM, LOADING }

    /** Whether models may go to make room for it. */
    enum Room { MAY_EVICT, ONLY_FREE }

    final ModelName model;
    final By by;
    /** Its entry in the log. */
    final long entry;
    final Instant asked;
    final Room room;
    /** A move: where it is unloaded once it is ready here. */
    final Optional<PlacementId> from;
    Stage stage = Stage.WAITING;
    String why = "";
    /** What has to be gone first. */
    final TreeSet<ModelName> awaited = new TreeSet<>();
    Instant roomAt = Instant.MIN;
    int plans;
    long ticket;
    Instant began;
    Duration expected = Duration.ZERO;
    boolean cancelled;
    boolean hanging;

    Job(ModelName model, By by, long entry, Instant asked, Room room, Optional<PlacementId> from) {
        this.model = model;
        this.by = by;
        this.entry = entry;
        this.asked = asked;
        this.room = room;
        this.from = from;
        this.began = asked;
    }
}
