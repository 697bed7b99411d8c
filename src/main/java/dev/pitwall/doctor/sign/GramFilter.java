package dev.pitwall.doctor.sign;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells which of many patterns a line can match at all, in one pass over it. Every pattern must contain some text word for word;
 * a few characters of that text in a row are its gram. Where a gram is met the whole text is compared, then whatever else the
 * pattern must contain; only a line that has all of it is tried. Patterns without such a text are tried on every line.
 */
final class GramFilter {
    private static final int LONG_GRAM = 4;
    private static final int SHORT_GRAM = 3;
    private final GramTable longGrams = new GramTable(LONG_GRAM);
    private final GramTable shortGrams = new GramTable(SHORT_GRAM);
    private final int[] always;
    private final Needs[] needs;

    /** @param patterns regular expressions, in order */
    GramFilter(List<String> patterns) {
        Set<Integer> rest = new HashSet<>();
        needs = new Needs[patterns.size()];
        for (int i = 0; i < patterns.size(); i++) {
            needs[i] = Needs.of(patterns.get(i));
            for (String literal : Literals.of(patterns.get(i))) {
                if (literal.length() >= LONG_GRAM) {
                    longGrams.put(literal, i);
                } else if (literal.length() == SHORT_GRAM) {
                    shortGrams.put(literal, i);
                } else {
                    rest.add(i);
                }
            }
        }
        longGrams.close();
        shortGrams.close();
        always = rest.stream().mapToInt(i -> i).sorted().toArray();
    }

    /** @param found gets the numbers of the patterns that have to be tried */
    void candidates(String line, BitSet found) {
        found.clear();
        String lower = lower(line);
        for (int i : always) {
            if (needs[i].metBy(lower)) {
                found.set(i);
            }
        }
        longGrams.find(lower, needs, found);
        shortGrams.find(lower, needs, found);
    }

    /** Only ASCII has its case taken away, as in the texts of the patterns; positions stay as they are. */
    private static String lower(String line) {
        int first = 0;
        while (first < line.length() && !upper(line.charAt(first))) {
            first++;
        }
        if (first == line.length()) {
            return line;
        }
        char[] chars = line.toCharArray();
        for (int i = first; i < chars.length; i++) {
            if (upper(chars[i])) {
                chars[i] += 'a' - 'A';
            }
        }
        return new String(chars);
    }

    private static boolean upper(char c) {
        return c >= 'A' && c <= 'Z';
    }

    /** What a pattern must contain: of one of its branches, one text of each of the branch's groups. */
    private record Needs(String[][][] branches) {

        static Needs of(String regex) {
            return new Needs(Literals.branches(regex).stream().map(groups -> groups.stream()
                    .map(texts -> texts.toArray(String[]::new)).toArray(String[][]::new)).toArray(String[][][]::new));
        }

        boolean metBy(String line) {
            for (String[][] groups : branches) {
                if (all(groups, line)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean all(String[][] groups, String line) {
            for (String[] texts : groups) {
                if (!any(texts, line)) {
                    return false;
                }
            }
            return true;
        }

        private static boolean any(String[] texts, String line) {
            for (String text : texts) {
                if (line.contains(text)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Grams of one length, with the texts that they stand in. */
    private static final class GramTable {
        private final int length;
        private final Map<Integer, List<Text>> byGram = new HashMap<>();
        private int[] keys = new int[2];
        private Text[][] texts = new Text[2][];
        private int mask = 1;

        /** @param at where in the text its gram is */
        private record Text(String literal, int at, int pattern) {
        }

        GramTable(int length) {
            this.length = length;
        }

        void put(String literal, int pattern) {
            int at = rarest(literal);
            byGram.computeIfAbsent(gram(literal, at), g -> new ArrayList<>()).add(new Text(literal, at, pattern));
        }

        /** Grams with punctuation or digits are rarer in prose than those of letters; one that is used already is worse. */
        private int rarest(String literal) {
            int best = 0;
            int bestCost = Integer.MAX_VALUE;
            for (int i = 0; i + length <= literal.length(); i++) {
                String part = literal.substring(i, i + length);
                int odd = (int) part.chars().filter(c -> c < 'a' || c > 'z').count();
                int blanks = (int) part.chars().filter(c -> c == ' ').count();
                int cost = byGram.getOrDefault(gram(literal, i), List.of()).size() * 4 - odd + 2 * blanks;
                if (cost < bestCost) {
                    best = i;
                    bestCost = cost;
                }
            }
            return best;
        }

        private int gram(String text, int at) {
            int gram = 0;
            for (int i = at; i < at + length; i++) {
                gram = next(gram, text.charAt(i));
            }
            return gram;
        }

        private int next(int gram, char c) {
            int longer = gram << 8 | c & 0xff;
            return length == LONG_GRAM ? longer : longer & 0xffffff;
        }

        void close() {
            int size = Integer.highestOneBit(Math.max(byGram.size(), 1) * 4) * 2;
            mask = size - 1;
            keys = new int[size];
            texts = new Text[size][];
            byGram.forEach((gram, some) -> {
                int slot = slot(gram);
                while (texts[slot] != null) {
                    slot = slot + 1 & mask;
                }
                keys[slot] = gram;
                texts[slot] = some.toArray(Text[]::new);
            });
            byGram.clear();
        }

        private int slot(int gram) {
            int hash = gram * 0x9E3779B9;
            return (hash ^ hash >>> 15) & mask;
        }

        void find(String line, Needs[] needs, BitSet found) {
            int gram = 0;
            for (int i = 0; i < line.length(); i++) {
                gram = next(gram, line.charAt(i));
                if (i >= length - 1) {
                    int slot = slot(gram);
                    while (texts[slot] != null) {
                        if (keys[slot] == gram) {
                            compare(texts[slot], line, i - length + 1, needs, found);
                            break;
                        }
                        slot = slot + 1 & mask;
                    }
                }
            }
        }

        private static void compare(Text[] some, String line, int gramAt, Needs[] needs, BitSet found) {
            for (Text text : some) {
                if (line.startsWith(text.literal(), gramAt - text.at()) && !found.get(text.pattern())
                        && needs[text.pattern()].metBy(line)) {
                    found.set(text.pattern());
                }
            }
        }
    }
}
