package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.shell.Call;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A call's options as {@code getopt_long} reads them; one that the program does not have is refused in its words. */
final class Options {
    private final Call call;
    private final Map<String, String> given = new HashMap<>();
    private final List<String> operands = new ArrayList<>();
    private String refusal = "";

    private Options(Call call) {
        this.call = call;
    }

    /**
     * @param letters short options; a colon after one says that it takes a value
     * @param names   long options; a final {@code =} says that it takes a value
     */
    static Options of(Call call, String letters, String... names) {
        Options options = new Options(call);
        List<String> words = call.arguments();
        for (int i = 0; i < words.size() && options.refusal.isEmpty(); i++) {
            String word = words.get(i);
            if (word.equals("--")) {
                options.operands.addAll(words.subList(i + 1, words.size()));
                break;
            } else if (word.startsWith("--")) {
                i += options.longOption(word, List.of(names), words, i);
            } else if (word.startsWith("-") && word.length() > 1) {
                i += options.bundle(word, letters, words, i);
            } else {
                options.operands.add(word);
            }
        }
        return options;
    }

    /** @return how many further words it took */
    private int longOption(String word, List<String> names, List<String> words, int at) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word.substring(2) : word.substring(2, equals);
        boolean valued = names.contains(name + "=");
        if (!valued && !names.contains(name)) {
            refusal = "unrecognized option '--" + name + "'";
        } else if (equals >= 0) {
            given.put(name, word.substring(equals + 1));
        } else if (valued && !names.contains(name)) {
            if (at + 1 >= words.size()) {
                refusal = "option '--" + name + "' requires an argument";
                return 0;
            }
            given.put(name, words.get(at + 1));
            return 1;
        } else {
            given.put(name, "");
        }
        return 0;
    }

    private int bundle(String word, String letters, List<String> words, int at) {
        for (int j = 1; j < word.length(); j++) {
            char letter = word.charAt(j);
            int index = letter == ':' ? -1 : letters.indexOf(letter);
            if (index < 0) {
                refusal = "invalid option -- '" + letter + "'";
                return 0;
            }
            boolean valued = index + 1 < letters.length() && letters.charAt(index + 1) == ':';
            if (!valued) {
                given.put(String.valueOf(letter), "");
                continue;
            }
            if (j + 1 < word.length()) {
                given.put(String.valueOf(letter), word.substring(j + 1));
                return 0;
            }
            if (at + 1 >= words.size()) {
                refusal = "option requires an argument -- '" + letter + "'";
                return 0;
            }
            given.put(String.valueOf(letter), words.get(at + 1));
            return 1;
        }
        return 0;
    }

    boolean refused() {
        return !refusal.isEmpty();
    }

    /** Says what was wrong. */
    int refuse(int status) {
        call.fail(status, refusal);
        call.err().println("Try '" + call.shortName() + " --help' for more information.");
        return status;
    }

    /** Says what is missing. */
    int missing(String what) {
        call.fail(1, what);
        call.err().println("Try '" + call.shortName() + " --help' for more information.");
        return 1;
    }

    /** True if an option is given, by its letter or its name. */
    boolean has(String letter, String name) {
        return given.containsKey(letter) || !name.isEmpty() && given.containsKey(name);
    }

    Optional<String> value(String letter, String name) {
        return Optional.ofNullable(given.getOrDefault(letter, given.get(name))).filter(v -> !v.isEmpty());
    }

    List<String> operands() {
        return operands;
    }
}
