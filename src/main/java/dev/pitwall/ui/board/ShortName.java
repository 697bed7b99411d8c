package dev.pitwall.ui.board;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Cuts a name in its middle, so that what it begins with and what tells it from its sisters stay: of a model the family, the
 * size and how its weights are kept; of anything else the beginning and the end. Pure.
 */
final class ShortName {

    private static final String CUT = "…";
    private static final int LEAST_HEAD = 3;
    /** "32b", "8x7B", "0.5b", "137m" between separators. */
    private static final Pattern SIZE = Pattern.compile("(?i)(?<=[-_:./])e?(?:\\d+x)?\\d+(?:\\.\\d+)?[bm](?![a-z0-9])");
    /** Names of quantisations, as GGUF and vLLM files carry them. */
    private static final Pattern WEIGHTS = Pattern.compile(
            "(?i)(?<=[-_:.])(?:(?:ud-)?i?q\\d(?:_[a-z0-9]+)*|b?f(?:16|32)|(?:mx|nv)?fp\\d+|int[48]|w\\da\\d+|awq|gptq)(?![a-z0-9])");
    private static final Pattern LAST = Pattern.compile("[-:/.][^-:/.]+$");

    private record Part(int from, int to) {
    }

    private ShortName() {
    }

    /** @param fits whether a text has room; the shortest that is tried may not */
    static String of(String name, Predicate<String> fits) {
        if (fits.test(name)) {
            return name;
        }
        String own = name.substring(name.lastIndexOf('/') + 1);
        if (own.length() < name.length() && fits.test(CUT + own)) {
            return CUT + own;
        }
        for (List<Part> kept : choices(own)) {
            int most = kept.getFirst().from();
            for (int head = most - 1; head >= Math.min(LEAST_HEAD, most - 1) && head > 0; head--) {
                String tried = join(own, head, kept);
                if (fits.test(tried)) {
                    return tried;
                }
            }
        }
        return ends(own, fits);
    }

    /** What may be kept behind the head, the most telling first. */
    private static List<List<Part>> choices(String own) {
        List<Part> size = first(SIZE, own);
        List<Part> weights = last(WEIGHTS, own);
        List<Part> end = last(LAST, own).stream().map(p -> new Part(p.from() + 1, p.to())).toList();
        List<List<Part>> choices = new ArrayList<>();
        int telling = Math.min(own.length(), size.isEmpty() ? tag(own) : Math.min(tag(own), size.getFirst().from()));
        add(choices, List.of(new Part(telling, own.length())));
        if (!size.isEmpty() || !weights.isEmpty()) {
            add(choices, merged(size, weights, end));
            add(choices, merged(size, weights));
            add(choices, weights.isEmpty() ? size : weights);
        }
        return choices;
    }

    /** Where the tag begins, its colon with it; the end where there is none. */
    private static int tag(String own) {
        int colon = own.indexOf(':');
        return colon < 0 ? own.length() : colon;
    }

    private static void add(List<List<Part>> choices, List<Part> parts) {
        if (!parts.isEmpty() && parts.getFirst().from() > 1 && parts.getFirst().from() < parts.getFirst().to()) {
            choices.add(parts);
        }
    }

    private static List<Part> first(Pattern what, String own) {
        return what.matcher(own).results().limit(1).map(ShortName::part).toList();
    }

    private static List<Part> last(Pattern what, String own) {
        return what.matcher(own).results().reduce((_, b) -> b).map(ShortName::part).stream().toList();
    }

    private static Part part(MatchResult found) {
        return new Part(found.start(), found.end());
    }

    /** In the order of the name; parts that touch or have one letter between them are one. */
    @SafeVarargs
    private static List<Part> merged(List<Part>... all) {
        List<Part> sorted = new ArrayList<>();
        for (List<Part> some : all) {
            sorted.addAll(some);
        }
        sorted.sort((a, b) -> Integer.compare(a.from(), b.from()));
        List<Part> merged = new ArrayList<>();
        for (Part next : sorted) {
            if (!merged.isEmpty() && next.from() - merged.getLast().to() <= 1) {
                Part before = merged.removeLast();
                merged.add(new Part(before.from(), Math.max(before.to(), next.to())));
            } else {
                merged.add(next);
            }
        }
        return merged;
    }

    private static String join(String own, int head, List<Part> kept) {
        StringBuilder made = new StringBuilder(own.substring(0, head));
        kept.forEach(p -> made.append(CUT).append(own, p.from(), p.to()));
        return made.toString();
    }

    /** As much of both ends as there is room for; the end has the odd letter. */
    private static String ends(String own, Predicate<String> fits) {
        String made = CUT;
        for (int letters = own.length() - 1; letters > 1; letters--) {
            made = own.substring(0, letters / 2) + CUT + own.substring(own.length() - (letters - letters / 2));
            if (fits.test(made)) {
                return made;
            }
        }
        return made;
    }
}
