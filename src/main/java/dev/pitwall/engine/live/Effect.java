package dev.pitwall.engine.live;

import java.util.List;
import java.util.Map;
import java.util.Set;
import dev.pitwall.engine.vram.MeasuredLoad;

/** Something that the core wants done; what came of it is told to the core. */
sealed interface Effect {

    /** Told by {@link LiveCore#loadEnded}. @param ticket names this load; no two have the same */
    record Load(PlacementId what, ServerDriver.Stay stay, long ticket) implements Effect {
    }

    /** End the load; it is told as any other end. */
    record CancelLoad(PlacementId what, long ticket) implements Effect {
    }

    /** Told by {@link LiveCore#unloadEnded}. */
    record Unload(PlacementId what) implements Effect {
    }

    /** Ask the server to keep a model that is there for longer or no longer; nothing is told. */
    record Keep(PlacementId what, ServerDriver.Stay stay) implements Effect {
    }

    /** Told by {@link LiveCore#pullEnded}. */
    record Pull(PlacementId what) implements Effect {
    }

    record CancelPull(PlacementId what) implements Effect {
    }

    /** Told by {@link LiveCore#shown}. @param digest under which the answer is kept */
    record Show(PlacementId what, String digest) implements Effect {
    }

    /** Told by {@link LiveCore#speedEnded}. @param stay what it had, for when it is loaded again */
    record MeasureSpeed(PlacementId what, ServerDriver.Course course, ServerDriver.Stay stay) implements Effect {
    }

    /** End the measurement; it is told as any other end, once the model is back. */
    record CancelMeasure(PlacementId what) implements Effect {
    }

    /** What an earlier run left on the processor is loaded again as it was; told by {@link LiveCore#speedEnded}. */
    record PutBack(Away what) implements Effect {
    }

    /** It is no longer on the processor: nothing is to be put back. */
    record IsBack(PlacementId what) implements Effect {
    }

    /** Ask the card of this server now how full it is, where it can be asked; nothing is told but by the next look at the site. */
    record LookAtCard(ProviderId provider) implements Effect {
    }

    /** Ask this server now what it has in memory; told by {@link LiveCore#read}. */
    record LookAtServer(ProviderId provider) implements Effect {
    }

    /** What people have decided has changed. */
    record Decided(Mode mode, Set<PlacementId> pins, Map<ProviderId, ProviderView.Hold> holds) implements Effect {
    }

    /** A load was measured. */
    record Measured(List<MeasuredLoad> all) implements Effect {
    }

    /** How fast models are. */
    record Speeds(List<MeasuredSpeed> all) implements Effect {
    }

    record Logged(Entry entry) implements Effect {
    }
}
