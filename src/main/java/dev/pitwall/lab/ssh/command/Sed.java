package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * {@code sed [-n] [-E] [-i[SUFFIX]] SCRIPT [FILE…]} with addresses by number, {@code $} and pattern, ranges, and the
 * commands s, d, p, q, a, i, c and y; others are refused as unknown.
 */
final class Sed implements Command {
    private static final Pattern ADDRESS = Pattern.compile("^(\\d+|\\$|/((?:[^/\\\\]|\\\\.)*)/)");

    /** One address; a pattern, a line number, or the last line. */
    private record Address(int line, Pattern pattern) {
        boolean matches(String text, int number, int last) {
            return pattern != null ? pattern.matcher(text).find() : number == (line < 0 ? last : line);
        }
    }

    private static final class Step {
        private final List<Address> addresses = new ArrayList<>();
        private boolean negated;
        private char name;
        private Pattern pattern;
        private String text = "";
        private boolean global;
        private boolean print;
        private int nth = 1;
        private boolean inRange;

        boolean applies(String line, int number, int last) {
            boolean hit = switch (addresses.size()) {
                case 0 -> true;
                case 1 -> addresses.getFirst().matches(line, number, last);
                default -> range(line, number, last);
            };
            return hit != negated;
        }

        private boolean range(String line, int number, int last) {
            if (inRange) {
                Address end = addresses.get(1);
                boolean past = end.pattern() == null && end.line() > 0 && number >= end.line();
                inRange = !past && !end.matches(line, number, last);
                return true;
            }
            if (addresses.getFirst().matches(line, number, last)) {
                Address end = addresses.get(1);
                inRange = end.pattern() != null || end.line() < 0 && number < last || end.line() > number;
                return true;
            }
            return false;
        }
    }

    /** A script that sed cannot read. */
    private static final class BadScript extends Exception {
        private static final long serialVersionUID = 1L;

        BadScript(int at, String what) {
            super("-e expression #1, char " + at + ": " + what);
        }
    }

    @Override
    public int run(Call call) throws IOException {
        List<String> scripts = new ArrayList<>();
        List<String> operands = new ArrayList<>();
        boolean quiet = false;
        boolean extended = false;
        boolean inPlace = false;
        String suffix = "";
        List<String> a = call.arguments();
        for (int i = 0; i < a.size(); i++) {
            String word = a.get(i);
            if (word.equals("-e") || word.equals("--expression")) {
                scripts.add(i + 1 < a.size() ? a.get(++i) : "");
            } else if (word.startsWith("-i") || word.startsWith("--in-place")) {
                inPlace = true;
                suffix = word.startsWith("-i") ? word.substring(2) : word.replaceFirst("^--in-place=?", "");
            } else if (word.matches("-[nErsi]+")) {
                quiet |= word.contains("n");
                extended |= word.contains("E") || word.contains("r");
                inPlace |= word.contains("i");
            } else if (word.equals("--quiet") || word.equals("--regexp-extended")) {
                quiet |= word.equals("--quiet");
                extended |= word.equals("--regexp-extended");
            } else if (word.startsWith("-") && word.length() > 1) {
                return call.fail(1, (word.startsWith("--") ? "unrecognized option '" + word
                        : "invalid option -- '" + word.charAt(1)) + "'");
            } else {
                operands.add(word);
            }
        }
        if (scripts.isEmpty()) {
            if (operands.isEmpty()) {
                call.err().println("Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...");
                return 1;
            }
            scripts.add(operands.removeFirst());
        }
        try {
            String script = String.join("\n", scripts);
            return inPlace ? inPlace(call, script, extended, quiet, operands, suffix)
                    : stream(call, steps(script, extended), quiet, operands);
        } catch (BadScript | PatternSyntaxException e) {
            return call.fail(1, e instanceof PatternSyntaxException
                    ? "-e expression #1, char 0: Invalid regular expression" : e.getMessage());
        }
    }

    private static int stream(Call call, List<Step> steps, boolean quiet, List<String> operands) throws IOException {
        Inputs inputs = new Inputs(call, operands, "can't read ");
        call.out().print(edited(inputs.text(), steps, quiet));
        return inputs.status == 0 ? Call.OK : 2;
    }

    private static int inPlace(Call call, String script, boolean extended, boolean quiet, List<String> operands,
                               String suffix) throws BadScript {
        int status = Call.OK;
        for (String file : operands) {
            String path = call.path(file);
            try {
                byte[] before = call.files().read(path);
                if (!suffix.isEmpty()) {
                    call.machine().files().write(path + suffix, before);
                }
                call.machine().files().write(path, edited(new String(before, StandardCharsets.UTF_8),
                        steps(script, extended), quiet).getBytes(StandardCharsets.UTF_8));
            } catch (FileTrouble e) {
                status = call.fail(4, e.why() == FileTrouble.Cause.IS_DIRECTORY
                        ? "couldn't edit " + file + ": not a regular file" : "can't read " + file + ": "
                        + e.why().words());
            }
        }
        return status;
    }

    private static String edited(String text, List<Step> steps, boolean quiet) {
        List<String> lines = text.lines().toList();
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            StringBuilder after = new StringBuilder();
            boolean deleted = false;
            boolean quits = false;
            for (Step step : steps) {
                if (!step.applies(line, i + 1, lines.size())) {
                    continue;
                }
                switch (step.name) {
                    case 'd' -> deleted = true;
                    case 'p' -> out.append(line).append('\n');
                    case 'q' -> quits = true;
                    case 'a' -> after.append(step.text).append('\n');
                    case 'i' -> out.append(step.text).append('\n');
                    case 'c' -> {
                        deleted = true;
                        if (step.addresses.size() < 2 || !step.inRange) {
                            out.append(step.text).append('\n');
                        }
                    }
                    default -> {
                        String replaced = substituted(line, step);
                        if (step.print && !replaced.equals(line)) {
                            out.append(replaced).append('\n');
                        }
                        line = replaced;
                    }
                }
                if (deleted || quits) {
                    break;
                }
            }
            if (!deleted && !quiet) {
                out.append(line);
                // A last line without an end keeps none.
                if (i + 1 < lines.size() || text.endsWith("\n") || !after.isEmpty()) {
                    out.append('\n');
                }
            }
            out.append(after);
            if (quits) {
                break;
            }
        }
        return out.toString();
    }

    private static String substituted(String line, Step step) {
        Matcher m = step.pattern.matcher(line);
        StringBuilder out = new StringBuilder();
        int count = 0;
        while (m.find()) {
            count++;
            if (count >= step.nth) {
                m.appendReplacement(out, Matcher.quoteReplacement(filled(step.text, m)));
                if (!step.global) {
                    break;
                }
            }
        }
        m.appendTail(out);
        return out.toString();
    }

    private static String filled(String replacement, Matcher m) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < replacement.length(); i++) {
            char c = replacement.charAt(i);
            if (c == '&') {
                out.append(m.group());
            } else if (c == '\\' && i + 1 < replacement.length()) {
                char next = replacement.charAt(++i);
                if (Character.isDigit(next)) {
                    String group = next - '0' <= m.groupCount() ? m.group(next - '0') : "";
                    out.append(group == null ? "" : group);
                } else {
                    out.append(next == 'n' ? '\n' : next == 't' ? '\t' : next);
                }
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static List<Step> steps(String script, boolean extended) throws BadScript {
        List<Step> steps = new ArrayList<>();
        String rest = script;
        while (true) {
            rest = rest.replaceFirst("^[\\s;]+", "");
            if (rest.isEmpty()) {
                return steps;
            }
            if (rest.startsWith("#")) {
                rest = rest.replaceFirst("^#[^\\n]*", "");
                continue;
            }
            Step step = new Step();
            rest = addresses(rest, step, extended);
            steps.add(step);
            if (rest.isEmpty()) {
                throw new BadScript(script.length(), "missing command");
            }
            step.name = rest.charAt(0);
            rest = body(rest.substring(1), step, extended, script);
        }
    }

    private static String addresses(String script, Step step, boolean extended) {
        String rest = script;
        Matcher m = ADDRESS.matcher(rest);
        while (step.addresses.size() < 2 && m.find()) {
            step.addresses.add(m.group(2) != null ? new Address(0, Pattern.compile(regex(m.group(2).replace("\\/", "/"),
                    extended))) : new Address(m.group(1).equals("$") ? -1 : Integer.parseInt(m.group(1)), null));
            rest = rest.substring(m.end()).stripLeading();
            if (!rest.startsWith(",")) {
                break;
            }
            rest = rest.substring(1).stripLeading();
            m = ADDRESS.matcher(rest);
        }
        while (rest.startsWith("!")) {
            step.negated = true;
            rest = rest.substring(1).stripLeading();
        }
        return rest;
    }

    private static String body(String rest, Step step, boolean extended, String script) throws BadScript {
        int at = script.length() - rest.length();
        switch (step.name) {
            case 'd', 'p', 'q' -> {
                return rest;
            }
            case 'a', 'i', 'c' -> {
                String text = rest.replaceFirst("^\\s*\\\\\\n?\\s*|^\\s+", "");
                int end = text.indexOf('\n');
                step.text = end < 0 ? text : text.substring(0, end);
                return end < 0 ? "" : text.substring(end);
            }
            case 's' -> {
                if (rest.isEmpty()) {
                    throw new BadScript(at, "unterminated `s' command");
                }
                char delimiter = rest.charAt(0);
                int second = end(rest, 1, delimiter);
                int third = second < 0 ? -1 : end(rest, second + 1, delimiter);
                if (third < 0) {
                    throw new BadScript(script.length(), "unterminated `s' command");
                }
                step.text = unescaped(rest.substring(second + 1, third), delimiter);
                String flags = rest.substring(third + 1).replaceFirst("(?s)^([gpIi0-9]*).*$", "$1");
                step.global = flags.contains("g");
                step.print = flags.contains("p");
                String number = flags.replaceAll("\\D", "");
                step.nth = number.isEmpty() ? 1 : Integer.parseInt(number);
                step.pattern = Pattern.compile(regex(unescaped(rest.substring(1, second), delimiter), extended),
                        flags.toLowerCase(Locale.ROOT).contains("i") ? Pattern.CASE_INSENSITIVE : 0);
                String after = rest.substring(third + 1 + flags.length());
                if (!after.isEmpty() && "; \n}".indexOf(after.charAt(0)) < 0) {
                    throw new BadScript(script.length() - after.length() + 1, "unknown option to `s'");
                }
                return after;
            }
            default -> throw new BadScript(at, "unknown command: `" + step.name + "'");
        }
    }

    private static int end(String text, int from, char delimiter) {
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == delimiter) {
                return i;
            }
        }
        return -1;
    }

    private static String unescaped(String text, char delimiter) {
        return text.replace("\\" + delimiter, String.valueOf(delimiter));
    }

    private static String regex(String pattern, boolean extended) {
        return extended ? pattern : Grep.basic(pattern);
    }
}
