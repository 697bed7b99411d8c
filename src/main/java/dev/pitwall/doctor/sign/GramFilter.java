package dev.pitwall.doctor.sign;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells which of many patterns a line can match at all, in one pass over it. Every pattern must contain some text word
 * for word; four characters of that text in a row are its gram, and a line without them is not tried. Patterns without
 * such a text are tried on every line.
 */
final class GramFilter {
    private static final int GRAM = 4;
    private final int[] keys;
    private final int[][] patterns;
    private final int[] always;
    private final int mask;

    /** @param patterns regular expressions, in order */
    GramFilter(List<String> patterns) {
        Map<Integer, List<Integer>> byGram = new HashMap<>();
        List<Integer> rest = new ArrayList<>();
        Map<Integer, Integer> use = new HashMap<>();
        for (int i = 0; i < patterns.size(); i++) {
            for (String literal : Literals.of(patterns.get(i))) {
                if (literal.length() < GRAM) {
                    rest.add(i);
                } else {
                    int gram = rarest(literal, use);
                    use.merge(gram, 1, Integer::sum);
                    byGram.computeIfAbsent(gram, g -> new ArrayList<>()).add(i);
                }
            }
        }
        int size = Integer.highestOneBit(Math.max(byGram.size(), 1) * 4) * 2;
        mask = size - 1;
        keys = new int[size];
        this.patterns = new int[size][];
        byGram.forEach((gram, some) -> put(gram, some.stream().distinct().mapToInt(i -> i).toArray()));
        always = rest.stream().distinct().mapToInt(i -> i).toArray();
    }

    /** Grams with punctuation or digits are rarer in prose than those of letters; one that is used already is worse. */
    private static int rarest(String literal, Map<Integer, Integer> use) {
        int best = gram(literal, 0);
        int bestCost = Integer.MAX_VALUE;
        for (int i = 0; i + GRAM <= literal.length(); i++) {
            int gram = gram(literal, i);
            long odd = literal.substring(i, i + GRAM).chars().filter(c -> c < 'a' || c > 'z').count();
            long blanks = literal.substring(i, i + GRAM).chars().filter(c -> c == ' ').count();
            int cost = use.getOrDefault(gram, 0) * 4 - (int) odd + (int) (2 * blanks);
            if (cost < bestCost) {
                best = gram;
                bestCost = cost;
            }
        }
        return best;
    }

    private static int gram(String text, int at) {
        int gram = 0;
        for (int i = at; i < at + GRAM; i++) {
            gram = gram << 8 | text.charAt(i) & 0xff;
        }
        return gram;
    }

    private void put(int gram, int[] some) {
        int slot = slot(gram);
        while (patterns[slot] != null) {
            slot = slot + 1 & mask;
        }
        keys[slot] = gram;
        patterns[slot] = some;
    }

    private int slot(int gram) {
        int hash = gram * 0x9E3779B9;
        return (hash ^ hash >>> 15) & mask;
    }

    /** @param found gets the numbers of the patterns that have to be tried */
    void candidates(String line, BitSet found) {
        found.clear();
        for (int i : always) {
            found.set(i);
        }
        int gram = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            gram = gram << 8 | (c >= 'A' && c <= 'Z' ? c + 32 : c) & 0xff;
            if (i >= GRAM - 1) {
                int slot = slot(gram);
                while (patterns[slot] != null) {
                    if (keys[slot] == gram) {
                        Arrays.stream(patterns[slot]).forEach(found::set);
                        break;
                    }
                    slot = slot + 1 & mask;
                }
            }
        }
    }
}
