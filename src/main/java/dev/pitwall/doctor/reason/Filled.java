package dev.pitwall.doctor.reason;

import dev.pitwall.doctor.sign.Sign;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills what signs know into a sentence of the catalogue: {@code {component}}, {@code {node}}, {@code {card}}, {@code {pod}}
 * or the name of a value. A part in square brackets is left out if something in it is not known.
 */
final class Filled {
    private static final Pattern OPTIONAL = Pattern.compile("\\[([^\\[\\]]*)]");
    private static final Pattern WORD = Pattern.compile("\\{([a-zA-Z-]+)}");

    private Filled() {
    }

    static String in(String text, List<Sign> signs) {
        String kept = OPTIONAL.matcher(text).replaceAll(part -> Matcher.quoteReplacement(
                WORD.matcher(part.group(1)).results().allMatch(w -> value(w.group(1), signs).isPresent())
                        ? part.group(1) : ""));
        return WORD.matcher(kept).replaceAll(word -> Matcher.quoteReplacement(value(word.group(1), signs)
                .orElse("?")));
    }

    private static Optional<String> value(String word, List<Sign> signs) {
        return signs.stream().map(sign -> switch (word) {
            case "component" -> sign.about().component();
            case "node" -> sign.about().node();
            case "card" -> sign.about().card();
            case "pod" -> sign.about().pod();
            default -> sign.values().getOrDefault(word, "");
        }).filter(value -> !value.isEmpty()).findFirst();
    }
}
