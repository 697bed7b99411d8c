package dev.pitwall.engine.vram;

import java.time.Instant;

/** What a model takes of a card: measured at a load, or estimated. */
public sealed interface Vram {

    /** Bytes to count with. */
    long bytes();

    /** Bytes that are safe to keep free. */
    long safeBytes();

    /**
     * @param bytes the largest of the latest readings: buffers grow while a model is used
     * @param at    of the latest reading
     */
    record Measured(long bytes, int readings, Instant at) implements Vram {
        @Override
        public long safeBytes() {
            return bytes;
        }
    }

    /**
     * @param amount likely, and its margin
     * @param basis  whether other loads of the model have set it right
     */
    record Estimated(Amount amount, Basis basis) implements Vram {

        /** What an estimate rests on. */
        public enum Basis {
            /** The model's keys. */
            RULES,
            /** The same, corrected by the error that it had at a measured load of the model with other settings. */
            OTHER_LOAD
        }

        @Override
        public long bytes() {
            return amount.likely();
        }

        @Override
        public long safeBytes() {
            return amount.high();
        }
    }
}
