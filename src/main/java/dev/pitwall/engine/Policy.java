package dev.pitwall.engine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Decides where models go. It is told what happens, in order, and asked when a load is wanted; it holds no clock and does
 * nothing itself, so the same events give the same decisions.
 */
public interface Policy {

    /** The name in {@code --policy}. */
    String name();

    /** Told once, before anything else, with the board that it will be asked about. */
    default void begin(Board board) {
    }

    /** What is to be loaded at time 0 beside the pins, which are there. */
    default List<Pin> initial(Board board) {
        return List.of();
    }

    /** A refusal of the policy's own, beside those of the {@link Engine}. */
    default Optional<Refusal> refuses(Model model) {
        return Optional.empty();
    }

    /** What to do about the requests that wait for a model without a placement. */
    Verdict decide(Model model, Board board, double now);

    /** What to load though no line waits for it: a replica, or a model before its time. Asked after each event. */
    default Optional<Beside> beside(Board board, double now) {
        return Optional.empty();
    }

    /** A load for which no line waits. */
    record Beside(Model model, Verdict.Load load) {
    }

    /** After how many seconds without work a placement is unloaded. */
    default OptionalDouble idleLimit() {
        return OptionalDouble.empty();
    }

    /** @param request its number, which {@link #waited} and {@link #served} name again */
    default void arrived(long request, Model model, double now) {
    }

    /** The request, which has arrived, was refused. */
    default void refused(long request) {
    }

    /** A placement was decided; its memory is taken. */
    default void placed(Placement placement, double now) {
    }

    /** A service began or a load ended. */
    default void used(Placement placement, double now) {
    }

    /** It goes; its memory may be counted on. */
    default void evicted(Placement placement, double now) {
    }

    /** A request was in service for so many seconds. */
    default void served(long request, Model model, double seconds, double now) {
    }

    /** A request left its queue or line after so many seconds. */
    default void waited(long request, double seconds) {
    }
}
