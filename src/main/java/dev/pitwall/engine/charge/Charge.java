package dev.pitwall.engine.charge;

import dev.pitwall.card.Trouble;

/** Whether this engine decides. Asking costs nothing and never blocks. */
public interface Charge extends AutoCloseable {

    /** Whether it decides at this moment. */
    State state();

    void start();

    /** There is something to decide: it is taken as soon as it can be had, and kept until the end. Never blocks. */
    void claim();

    /** Gives it back, so that another need not wait. */
    @Override
    void close();

    /** Who decides. */
    sealed interface State {

        /** This engine. */
        record Here() implements State {
        }

        /** Another engine. @param holder as it calls itself */
        record Elsewhere(String holder) implements State {
        }

        /** Nobody: there is nothing of this engine's to decide yet, or it is about to be taken. */
        record Free() implements State {
        }

        /** Nobody knows yet. */
        record Looking() implements State {
        }

        /** It cannot be known, so nothing is decided here. */
        record Unknown(Trouble why) implements State {
        }
    }

    /** For sites without a cluster: there is no Lease, and nobody else can be known. */
    Charge ALONE = new Charge() {
        @Override
        public State state() {
            return new State.Here();
        }

        @Override
        public void start() {
            // There is nothing to keep.
        }

        @Override
        public void claim() {
            // There is nothing to take.
        }

        @Override
        public void close() {
            // There is nothing to give back.
        }
    };
}
