package dev.pitwall.engine.live;

import dev.pitwall.engine.live.ProviderView.By;
import dev.pitwall.engine.live.ServerDriver.Loaded;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What the core knows of one model on one server. */
final class Placed {

    /** Where it is in its life. */
    enum Phase {
        /** Its load waits. */
        ASKED,
        LOADING,
        HERE,
        UNLOADING,
        /** Its load did not come about; it takes no memory. */
        FAILED,
        /** It went by itself; it takes no memory. */
        LOST;

        boolean takesMemory() {
            return this == LOADING || this == HERE || this == UNLOADING;
        }
    }

    /** Whether somebody uses it now. */
    enum Use { IDLE, BUSY }

    final ModelName model;
    By by;
    Phase phase;
    Instant since;
    Use use = Use.IDLE;
    int requests;
    /** When a use was seen last, or the load ended. */
    Instant usedAt;
    /** When it was first seen in memory after its load. */
    Instant readyAt;
    /** Its server has been asked since a load of ours ended: what moves then is somebody's use. */
    boolean settled = true;
    /** What the server said of it last. */
    Optional<Loaded> seen = Optional.empty();
    OptionalDouble progress = OptionalDouble.empty();
    String why = "";
    /** It was told to go and has not gone yet; it may answer until then. */
    Optional<Departures.Told> told = Optional.empty();
    /** Another client made the server load it with other options. */
    Optional<String> reloaded = Optional.empty();

    Placed(ModelName model, By by, Phase phase, Instant now) {
        this.model = model;
        this.by = by;
        this.phase = phase;
        this.since = now;
        this.usedAt = now;
        this.readyAt = now;
    }

    void turn(Phase next, Instant now) {
        phase = next;
        since = now;
        progress = OptionalDouble.empty();
    }

    boolean here() {
        return phase == Phase.HERE;
    }

    OptionalLong context() {
        return seen.map(Loaded::contextTokens).orElse(OptionalLong.empty());
    }

    /** The server's own figure of the part on the card; empty where it tells none, or one that cannot be. */
    OptionalLong onCard() {
        OptionalLong vram = seen.map(Loaded::vramBytes).orElse(OptionalLong.empty());
        OptionalLong size = seen.map(Loaded::sizeBytes).orElse(OptionalLong.empty());
        boolean odd = vram.isPresent() && size.isPresent() && (size.getAsLong() == 0 || vram.getAsLong() > size.getAsLong());
        return odd ? OptionalLong.empty() : vram;
    }

    /** Share that did not fit the card, 0 to 1. */
    double onProcessor() {
        OptionalLong size = seen.map(Loaded::sizeBytes).orElse(OptionalLong.empty());
        OptionalLong card = onCard();
        return card.isEmpty() || size.isEmpty() || size.getAsLong() == 0 ? 0
                : (double) (size.getAsLong() - card.getAsLong()) / size.getAsLong();
    }
}
