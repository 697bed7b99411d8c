package dev.pitwall.engine.live;

import dev.pitwall.card.Trouble;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A model server and the memory it loads into.
 *
 * @param node       of the cluster; empty where the server is not known to be on one
 * @param place      host, VM and software in a line: {@code pve1 · VM 141 · Ollama 0.32.15}
 * @param cards      that it sees, in its order; empty where they are not known. More than one: their memory is one pool
 * @param room       empty where the total is not known: nothing is loaded there then
 * @param placements in the order of the bar: largest first, stable under change of state
 * @param hold       nothing is put there or taken from there
 * @param standing   whether the server answers
 */
public record ProviderView(ProviderId id, Optional<String> node, String place, List<CardView> cards, Optional<Room> room,
                           List<PlacementView> placements, Optional<Hold> hold, Standing standing) {

    public ProviderView {
        cards = List.copyOf(cards);
        placements = List.copyOf(placements);
    }

    public Optional<PlacementView> placement(ModelName model) {
        return placements.stream().filter(p -> p.model().equals(model)).findFirst();
    }

    /**
     * A card of the provider.
     *
     * @param index       its number on the node
     * @param name        for example {@code RTX 4090}
     * @param celsius     empty where nobody measures
     * @param utilisation 0 to 1
     */
    public record CardView(String id, int index, String name, OptionalDouble celsius, OptionalDouble watts,
                           OptionalDouble utilisation) {
    }

    /**
     * Bytes of the provider's memory. {@code total = placements + foreign + reserve + free}, free never below 0.
     *
     * @param foreign used by others than this server, with their names as far as known
     * @param source  where total and used come from: {@code DCGM}, {@code nvidia-smi}, {@code server}
     */
    public record Room(long total, long reserve, List<Foreign> foreign, long free, String source) {
        public Room {
            foreign = List.copyOf(foreign);
        }
    }

    /** @param owner a pod or process; {@code not known} where nobody can tell */
    public record Foreign(String owner, long bytes) {
    }

    /** @param until empty: until released */
    public record Hold(Instant since, Optional<Instant> until, String by) {
    }

    /** Whether the server answers. */
    public sealed interface Standing {

        /** @param at of the newest answer */
        record Live(Instant at) implements Standing {
        }

        /** What is shown was so then. */
        record Silent(Instant since, Trouble trouble) implements Standing {
        }

        /** It answers questions, but a load hangs. */
        record Hanging(Instant since, ModelName load) implements Standing {
        }
    }

    /**
     * A model on the provider.
     *
     * @param memory       what it takes
     * @param onCpu        0 to 1: the share that did not fit the card
     * @param by           who put it there
     * @param notes        what a person should know, a sentence each (reloads because of other options, expiry in the past)
     * @param speed        as it was measured here
     */
    public record PlacementView(ModelName model, State state, Memory memory, double onCpu, Pinning pinned, By by,
                                List<String> notes, Optional<MeasuredSpeed> speed) {
        public PlacementView {
            notes = List.copyOf(notes);
        }
    }

    /** Whether the engine keeps it. */
    public enum Pinning { NONE, PINNED }

    /** Who put it there. */
    public enum By { PERSON, ENGINE, OTHERS }

    /** Where a placement is in its life. */
    public sealed interface State {

        /** It waits for its turn or for victims to go. */
        record Asked(Instant since) implements State {
        }

        /** @param progress 0 to 1, by the server's word or by time and bandwidth; @param left empty where nobody can tell */
        record Loading(Instant since, OptionalDouble progress, Optional<Duration> left) implements State {
        }

        /** @param requests in service; 0 where the server does not tell how many; @param tokensPerSecond of all of them */
        record Busy(int requests, OptionalDouble tokensPerSecond) implements State {
        }

        /** @param expires when its server unloads it by itself; empty where it never does */
        record Idle(Instant since, Optional<Instant> expires) implements State {
        }

        record Unloading(Instant since) implements State {
        }

        /** A load did not come about. @param why its sentence */
        record Failed(Instant at, String why) implements State {
        }

        /** It was there, and went without the engine's doing. */
        record Lost(Instant at) implements State {
        }
    }
}
