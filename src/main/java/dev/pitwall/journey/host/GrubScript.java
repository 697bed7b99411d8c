package dev.pitwall.journey.host;

import dev.pitwall.journey.change.Content;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shell scripts that tell GRUB's menu writer the kernel options. Of the shell language only assignments of the two
 * variables are read, which is how installers and people write them.
 */
final class GrubScript {
    /** For the usual entries; rescue entries leave it out, so that a wrong option does not lock a person out. */
    static final String DEFAULT = "GRUB_CMDLINE_LINUX_DEFAULT";
    /** For all entries. */
    static final String ALWAYS = "GRUB_CMDLINE_LINUX";

    private static final Pattern ASSIGNMENT = Pattern.compile(
            "(?m)^([ \\t]*(?:export[ \\t]+)?(GRUB_CMDLINE_LINUX(?:_DEFAULT)?)(\\+?=))"
                    + "(\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|[^\\s#;]*)");
    private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{(\\w+)}|(\\w+))");
    private static final Pattern WORD = Pattern.compile("\\s*\\S+");

    private GrubScript() {
    }

    /** The options that a usual entry gets when these scripts have run in this order. */
    static List<String> words(Collection<Content> scripts) {
        Map<String, String> values = new HashMap<>();
        for (Content script : scripts) {
            Matcher m = ASSIGNMENT.matcher(script.text());
            while (m.find()) {
                String value = expanded(m.group(4), values);
                String before = m.group(3).equals("+=") ? values.getOrDefault(m.group(2), "") : "";
                values.put(m.group(2), before + value);
            }
        }
        String all = values.getOrDefault(ALWAYS, "") + " " + values.getOrDefault(DEFAULT, "");
        return Arrays.stream(all.strip().split("\\s+")).filter(w -> !w.isEmpty()).toList();
    }

    private static String expanded(String quoted, Map<String, String> values) {
        String inner = inner(quoted);
        return quoted.startsWith("'") ? inner : VARIABLE.matcher(inner).replaceAll(r -> Matcher.quoteReplacement(
                values.getOrDefault(r.group(1) == null ? r.group(2) : r.group(1), "")));
    }

    private static String inner(String quoted) {
        boolean quotes = quoted.length() >= 2 && (quoted.startsWith("\"") || quoted.startsWith("'"));
        return quotes ? quoted.substring(1, quoted.length() - 1) : quoted;
    }

    /** The script with other words in the values of the two variables; all else stays as it is, byte for byte. */
    static String edit(String script, Function<String, Optional<String>> keep) {
        return ASSIGNMENT.matcher(script).replaceAll(m -> Matcher.quoteReplacement(
                m.group(1) + editedValue(m.group(4), keep)));
    }

    private static String editedValue(String quoted, Function<String, Optional<String>> keep) {
        String inner = inner(quoted);
        String quote = inner.length() == quoted.length() ? "" : quoted.substring(0, 1);
        return quote + edited(inner, keep) + quote;
    }

    /** A line of words with some changed or gone; a word that goes takes the blanks before it along. */
    static String edited(String words, Function<String, Optional<String>> keep) {
        String edited = WORD.matcher(words).replaceAll(m -> {
            String word = m.group().strip();
            return Matcher.quoteReplacement(keep.apply(word)
                    .map(kept -> m.group().replace(word, kept)).orElse(""));
        });
        return words.startsWith(" ") || words.startsWith("\t") ? edited : edited.stripLeading();
    }

    /** A script that adds words to one of the variables, after what it does already. */
    static String appending(String script, String variable, List<String> words) {
        String whole = script.isEmpty() || script.endsWith("\n") ? script : script + "\n";
        Pattern own = Pattern.compile("(?m)^(" + variable + "=\"\\$" + variable + "[^\"\n]*)\"$");
        Matcher m = own.matcher(whole);
        String more = " " + String.join(" ", words);
        return m.find() ? whole.substring(0, m.end(1)) + more + whole.substring(m.end(1))
                : whole + variable + "=\"$" + variable + more + "\"\n";
    }
}
