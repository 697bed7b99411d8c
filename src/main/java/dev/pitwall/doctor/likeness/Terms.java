package dev.pitwall.doctor.likeness;

import java.util.Locale;
import java.util.function.Consumer;

/**
 * The terms of a line: its words, the parts of words with hyphens or underscores, its small numbers, and each pair of
 * neighbours. A long number differs from machine to machine and is none; a small one can be an Xid or the status of an exit.
 */
final class Terms {
    private static final int SHORTEST_WORD = 3;
    private static final int LONGEST_NUMBER = 4;
    private static final char PAIR = '~';

    private Terms() {
    }

    /** Hands out each term as often as it is there. */
    static void of(String line, Consumer<String> taker) {
        String lower = line.toLowerCase(Locale.ROOT);
        String before = "";
        int at = 0;
        while (at < lower.length()) {
            int end = at + 1;
            String term = "";
            if (letter(lower.charAt(at))) {
                end = wordEnd(lower, at);
                term = end - at >= SHORTEST_WORD ? lower.substring(at, end) : "";
                if (!term.isEmpty()) {
                    parts(term, taker);
                }
            } else if (digit(lower.charAt(at))) {
                end = numberEnd(lower, at);
                term = end - at <= LONGEST_NUMBER && standsAlone(lower, at, end) ? lower.substring(at, end) : "";
            }
            if (!term.isEmpty()) {
                taker.accept(term);
                if (!before.isEmpty()) {
                    taker.accept(before + PAIR + term);
                }
                before = term;
            }
            at = end;
        }
    }

    private static void parts(String word, Consumer<String> taker) {
        String[] parts = word.split("[-_]");
        if (parts.length > 1) {
            for (String part : parts) {
                if (part.length() >= SHORTEST_WORD) {
                    taker.accept(part);
                }
            }
        }
    }

    private static int wordEnd(String line, int from) {
        int end = from + 1;
        for (int at = end; at < line.length() && (letter(line.charAt(at)) || "-_".indexOf(line.charAt(at)) >= 0); at++) {
            end = letter(line.charAt(at)) ? at + 1 : end;
        }
        return end;
    }

    private static int numberEnd(String line, int from) {
        int end = from;
        while (end < line.length() && digit(line.charAt(end))) {
            end++;
        }
        return end;
    }

    /** A part of a version, of an address, of a time or of a name is no number of its own. */
    private static boolean standsAlone(String line, int from, int end) {
        return (from == 0 || !joined(line, from - 1)) && (end == line.length() || !joined(line, end));
    }

    /** Whether what is at a place, just before or after a number, makes the number part of something longer. */
    private static boolean joined(String line, int at) {
        char c = line.charAt(at);
        return letter(c) || c == '_' || ".:-/".indexOf(c) >= 0 && between(line, at);
    }

    private static boolean between(String line, int at) {
        return at > 0 && at + 1 < line.length() && digit(line.charAt(at - 1)) && digit(line.charAt(at + 1));
    }

    private static boolean letter(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }
}
