package dev.pitwall.ui.board;

import dev.pitwall.engine.live.Memory;

/** Amounts of memory as the Board writes them. */
final class Bytes {

    private static final double TENTH = (1L << 30) / 10.0;

    private Bytes() {
    }

    /** Of what nobody knows, a question mark rather than 0.0. */
    static String gib(Memory memory) {
        return memory.basis() == Memory.Basis.UNKNOWN ? "?" : gib(memory.bytes());
    }

    /** GiB with one decimal, without the unit: {@code 10.9}. */
    static String gib(long bytes) {
        // Written a thousand times a drawing: a formatter would cost more than the drawing.
        long tenths = Math.round(bytes / TENTH);
        return tenths / 10 + "." + Math.abs(tenths % 10);
    }
}
