package dev.pitwall.engine.live;

import dev.pitwall.engine.live.ProviderView.By;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** A load that was decided, from its place in the line to its end. */
final class Job {

    /** How far it is. */
    enum Stage { WAITING, MAKING_ROOM, LOADING, LOADED, NOT_LOADED }

    /** Whether models may go to make room for it. */
    enum Room {
        /** Whichever the policy takes. */
        MAY_EVICT,
        /** Only those that a person was shown and agreed to. */
        AS_AGREED,
        ONLY_FREE
    }

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
    /** Who may go for it, each once. */
    final TreeSet<ModelName> agreed = new TreeSet<>();
    /** Who has gone for it. */
    final List<ModelName> gone = new ArrayList<>();
    /** Since when its server is asked what is at work, before anybody is told to go. */
    Optional<Instant> looking = Optional.empty();
    boolean saidThatItWaits;
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

    /** What takes it back as things are now; empty where nothing came of it. @param to where it is loaded */
    Optional<Wish> back(ProviderId to) {
        PlacementId here = new PlacementId(to, model);
        List<Wish> back = new ArrayList<>();
        switch (stage) {
            case WAITING, MAKING_ROOM, LOADING -> back.add(new Wish.Cancel(here));
            case LOADED -> back.add(from.<Wish>map(f -> new Wish.Move(here, f.provider())).orElseGet(() -> new Wish.Evict(here)));
            case NOT_LOADED -> { }
        }
        gone.forEach(victim -> back.add(new Wish.Place(victim, to)));
        return Wish.together(back);
    }
}
