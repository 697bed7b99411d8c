package dev.pitwall.journey.export;

import java.util.List;
import java.util.stream.Collectors;

/** Words and lines of a shell script. */
final class ShellText {
    private ShellText() {
    }

    /** A word that the shell takes as it is. */
    static String word(String text) {
        return text.matches("[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*") ? text
                : "'" + text.replace("'", "'\\''") + "'";
    }

    static String words(List<String> words) {
        return words.stream().map(ShellText::word).collect(Collectors.joining(" "));
    }

    /** A text in a comment: it can never leave it. */
    static String comment(String text) {
        return "# " + text.lines().map(String::strip).collect(Collectors.joining(" "));
    }
}
