package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** {@code grep} with the options that people use most. */
final class Grep implements Command {
    private static final int NOTHING = 1;
    private static final int TROUBLE = 2;

    @Override
    public int run(Call call) throws IOException {
        Options options = Options.of(call, "EFGPivwxclnoqsrRhHA:B:C:e:m:", "ignore-case", "invert-match", "count",
                "line-number", "quiet", "color", "color=");
        if (options.refused()) {
            return options.refuse(TROUBLE);
        }
        List<String> patterns = new ArrayList<>();
        List<String> operands = new ArrayList<>();
        int after = 0;
        int most = Integer.MAX_VALUE;
        List<String> arguments = call.arguments();
        for (int i = 0; i < arguments.size(); i++) {
            String a = arguments.get(i);
            if (a.equals("-e") && i + 1 < arguments.size()) {
                patterns.add(arguments.get(++i));
            } else if (a.matches("-[ABC]\\d*") && (a.length() > 2 || i + 1 < arguments.size())) {
                after = Integer.parseInt(a.length() > 2 ? a.substring(2) : arguments.get(++i));
            } else if (a.matches("-m\\d*") && (a.length() > 2 || i + 1 < arguments.size())) {
                most = Integer.parseInt(a.length() > 2 ? a.substring(2) : arguments.get(++i));
            } else if (!a.startsWith("-") || a.equals("-")) {
                operands.add(a);
            }
        }
        if (patterns.isEmpty()) {
            if (operands.isEmpty()) {
                call.err().println("Usage: grep [OPTION]... PATTERNS [FILE]...");
                return TROUBLE;
            }
            patterns.add(operands.removeFirst());
        }
        Pattern pattern;
        try {
            pattern = pattern(call, patterns);
        } catch (PatternSyntaxException e) {
            return call.fail(TROUBLE, "Invalid regular expression");
        }
        return search(call, pattern, operands, after, most);
    }

    private static Pattern pattern(Call call, List<String> patterns) {
        boolean extended = call.has('E') || call.shortName().equals("egrep") || call.has('P');
        List<String> parts = patterns.stream().map(p -> call.has('F') ? Pattern.quote(p)
                : extended ? p : basic(p)).map(p -> call.has('w') ? "\\b(?:" + p + ")\\b" : p)
                .map(p -> call.has('x') ? "^(?:" + p + ")$" : p).toList();
        return Pattern.compile(String.join("|", parts), call.has('i') ? Pattern.CASE_INSENSITIVE : 0);
    }

    /** In basic expressions the special meaning of {@code | + ? ( ) { }} needs a backslash. */
    static String basic(String pattern) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\\' && i + 1 < pattern.length()) {
                char next = pattern.charAt(++i);
                out.append("|+?(){}".indexOf(next) >= 0 ? "" : "\\").append(next);
            } else {
                out.append("|+?(){}".indexOf(c) >= 0 ? "\\" : "").append(c);
            }
        }
        return out.toString();
    }

    private static int search(Call call, Pattern pattern, List<String> operands, int after, int most)
            throws IOException {
        if (call.has('r') || call.has('R')) {
            operands = files(call, operands);
            if (operands.isEmpty()) {
                // Nothing below the operands: that is no reason to read standard input.
                return TROUBLE;
            }
        }
        Inputs inputs = new Inputs(call, operands);
        boolean named = (operands.size() > 1 || call.has('r')) && !call.has('h') || call.has('H');
        boolean found = false;
        for (Inputs.Input input : inputs.inputs) {
            int count = 0;
            int keep = 0;
            int number = 0;
            for (String line : input.lines()) {
                number++;
                boolean hit = count < most && pattern.matcher(line).find() != call.has('v');
                count += hit ? 1 : 0;
                keep = hit ? after + 1 : keep - 1;
                if (keep >= 0 && (hit || keep > 0) && !call.has('q') && !call.has('c') && !call.has('l')) {
                    call.out().println((named ? input.name() + ":" : "") + (call.has('n') ? number + ":" : "")
                            + (call.has('o') && hit ? first(pattern, line) : line));
                }
            }
            found |= count > 0;
            if (call.has('c')) {
                call.out().println((named ? input.name() + ":" : "") + count);
            } else if (call.has('l') && count > 0) {
                call.out().println(input.name());
            }
        }
        return inputs.status != 0 && !found ? TROUBLE : found ? Call.OK : NOTHING;
    }

    private static String first(Pattern pattern, String line) {
        return pattern.matcher(line).results().map(MatchResult::group)
                .reduce((a, b) -> a + "\n" + b).orElse("");
    }

    private static List<String> files(Call call, List<String> operands) {
        List<String> files = new ArrayList<>();
        for (String operand : operands.isEmpty() ? List.of(".") : operands) {
            new Walk(call.files()).below(call.path(operand), operand, Integer.MAX_VALUE)
                    .filter(Walk.Found::isFile).forEach(f -> files.add(f.shown()));
        }
        return files;
    }
}
