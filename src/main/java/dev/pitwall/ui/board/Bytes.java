package dev.pitwall.ui.board;

import java.util.Locale;

/** Amounts of memory as the Board writes them. */
final class Bytes {

    private static final double GIB = 1L << 30;

    private Bytes() {
    }

    /** GiB with one decimal, without the unit: {@code 10.9}. */
    static String gib(long bytes) {
        return String.format(Locale.ROOT, "%.1f", bytes / GIB);
    }
}
