package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Programs that read text from files or standard input and print it. */
final class ReadingCommands {
    private ReadingCommands() {
    }

    static void install(Commands commands) {
        commands.add("cat", new Cat()).add("grep", new Grep()).add("egrep", new Grep()).add("head", new Ends(true))
                .add("tail", new Ends(false)).add("wc", new Count()).add("sort", new Sort()).add("uniq", new Unique())
                .add("cut", new Cut()).add("tr", new Translate()).add("sha256sum", new Sha256()).add("tee", new Tee())
                .add("base64", new Base64Text());
    }

    /** Reads every operand, or standard input where there is none; troubles go to standard error. */
    private static final class Inputs {
        private record Input(String name, byte[] content) {
            List<String> lines() {
                return new String(content, StandardCharsets.UTF_8).lines().toList();
            }
        }

        private final List<Input> inputs = new ArrayList<>();
        private int status;

        Inputs(Call call, List<String> operands) throws IOException {
            if (operands.isEmpty()) {
                inputs.add(new Input("-", call.in().readAllBytes()));
            }
            for (String operand : operands) {
                try {
                    inputs.add(new Input(operand, operand.equals("-") ? call.in().readAllBytes()
                            : call.files().read(call.path(operand))));
                } catch (FileTrouble e) {
                    status = call.fail(1, operand + ": " + e.why().words());
                }
            }
        }

        List<String> lines() {
            return inputs.stream().flatMap(i -> i.lines().stream()).toList();
        }
    }

    static final class Cat implements Command {
        @Override
        public int run(Call call) throws IOException {
            Inputs inputs = new Inputs(call, call.operands());
            for (Inputs.Input input : inputs.inputs) {
                call.out().write(input.content());
            }
            return inputs.status;
        }
    }

    static final class Grep implements Command {
        private static final int NOTHING = 1;
        private static final int TROUBLE = 2;

        @Override
        public int run(Call call) throws IOException {
            List<String> patterns = new ArrayList<>();
            List<String> operands = new ArrayList<>();
            int after = 0;
            List<String> arguments = call.arguments();
            for (int i = 0; i < arguments.size(); i++) {
                String a = arguments.get(i);
                if (a.equals("-e") && i + 1 < arguments.size()) {
                    patterns.add(arguments.get(++i));
                } else if (a.matches("-[ABC]\\d*") && (a.length() > 2 || i + 1 < arguments.size())) {
                    after = Integer.parseInt(a.length() > 2 ? a.substring(2) : arguments.get(++i));
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
            return search(call, pattern, operands, after);
        }

        private static Pattern pattern(Call call, List<String> patterns) {
            boolean extended = call.has('E') || call.shortName().equals("egrep") || call.has('P');
            List<String> parts = patterns.stream().map(p -> call.has('F') ? Pattern.quote(p)
                    : extended ? p : basic(p)).map(p -> call.has('w') ? "\\b(?:" + p + ")\\b" : p)
                    .map(p -> call.has('x') ? "^(?:" + p + ")$" : p).toList();
            return Pattern.compile(String.join("|", parts), call.has('i') ? Pattern.CASE_INSENSITIVE : 0);
        }

        /** In basic expressions the special meaning of {@code | + ? ( ) { }} needs a backslash. */
        private static String basic(String pattern) {
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

        private static int search(Call call, Pattern pattern, List<String> operands, int after) throws IOException {
            if (call.has('r') || call.has('R')) {
                operands = files(call, operands);
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
                    boolean hit = pattern.matcher(line).find() != call.has('v');
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
            return pattern.matcher(line).results().map(java.util.regex.MatchResult::group)
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

    /** {@code head} and {@code tail}: {@code -n N}, {@code -N}, {@code -c N}. */
    static final class Ends implements Command {
        private final boolean first;

        Ends(boolean first) {
            this.first = first;
        }

        @Override
        public int run(Call call) throws IOException {
            int count = 10;
            boolean bytes = false;
            boolean fromStart = false;
            List<String> operands = new ArrayList<>();
            List<String> arguments = call.arguments();
            for (int i = 0; i < arguments.size(); i++) {
                String a = arguments.get(i);
                if (a.equals("-n") || a.equals("-c")) {
                    bytes = a.equals("-c");
                    a = i + 1 < arguments.size() ? "-" + arguments.get(++i) : "-10";
                } else if (!a.startsWith("-")) {
                    operands.add(a);
                    continue;
                }
                String digits = a.replaceFirst("^-[nc]?", "");
                fromStart = digits.startsWith("+");
                if (!digits.matches("[+-]?\\d+")) {
                    return call.fail(1, "invalid option -- '" + digits + "'");
                }
                count = Math.abs(Integer.parseInt(digits));
            }
            Inputs inputs = new Inputs(call, operands);
            for (Inputs.Input input : inputs.inputs) {
                if (inputs.inputs.size() > 1) {
                    call.out().println("==> " + input.name() + " <==");
                }
                print(call, input, count, bytes, fromStart);
            }
            return inputs.status;
        }

        private void print(Call call, Inputs.Input input, int count, boolean bytes, boolean fromStart) {
            if (bytes) {
                int n = Math.min(count, input.content().length);
                call.out().write(input.content(), first ? 0 : input.content().length - n, n);
                return;
            }
            List<String> lines = input.lines();
            int n = Math.min(count, lines.size());
            List<String> shown = first ? lines.subList(0, n)
                    : fromStart ? lines.subList(Math.max(0, Math.min(count - 1, lines.size())), lines.size())
                    : lines.subList(lines.size() - n, lines.size());
            shown.forEach(call.out()::println);
        }
    }

    static final class Count implements Command {
        @Override
        public int run(Call call) throws IOException {
            Inputs inputs = new Inputs(call, call.operands());
            boolean all = !call.has('l') && !call.has('w') && !call.has('c');
            for (Inputs.Input input : inputs.inputs) {
                String text = new String(input.content(), StandardCharsets.UTF_8);
                List<String> parts = new ArrayList<>();
                if (all || call.has('l')) {
                    parts.add(Long.toString(text.chars().filter(c -> c == '\n').count()));
                }
                if (all || call.has('w')) {
                    parts.add(Integer.toString(text.isBlank() ? 0 : text.strip().split("\\s+").length));
                }
                if (all || call.has('c')) {
                    parts.add(Integer.toString(input.content().length));
                }
                if (!input.name().equals("-")) {
                    parts.add(input.name());
                }
                call.out().println(String.join(" ", parts));
            }
            return inputs.status;
        }
    }

    static final class Sort implements Command {
        @Override
        public int run(Call call) throws IOException {
            Inputs inputs = new Inputs(call, call.operands());
            Comparator<String> order = call.has('n')
                    ? Comparator.comparingDouble(Sort::number).thenComparing(Comparator.naturalOrder())
                    : call.has('V') ? Comparator.comparing(Sort::padded) : Comparator.naturalOrder();
            var lines = inputs.lines().stream().sorted(call.has('r') ? order.reversed() : order);
            (call.has('u') ? lines.distinct() : lines).forEach(call.out()::println);
            return inputs.status;
        }

        private static double number(String line) {
            var m = Pattern.compile("^\\s*(-?\\d+(?:\\.\\d+)?)").matcher(line);
            return m.find() ? Double.parseDouble(m.group(1)) : 0;
        }

        private static String padded(String line) {
            return Pattern.compile("\\d+").matcher(line)
                    .replaceAll(r -> "0".repeat(Math.max(0, 12 - r.group().length())) + r.group());
        }
    }

    static final class Unique implements Command {
        @Override
        public int run(Call call) throws IOException {
            Inputs inputs = new Inputs(call, call.operands());
            String last = null;
            int count = 0;
            List<String> lines = new ArrayList<>(inputs.lines());
            for (int i = 0; i <= lines.size(); i++) {
                String line = i < lines.size() ? lines.get(i) : null;
                if (last != null && !last.equals(line)) {
                    call.out().println(call.has('c') ? String.format("%7d %s", count, last) : last);
                    count = 0;
                }
                count++;
                last = line;
            }
            return inputs.status;
        }
    }

    /** {@code cut -dX -fN[,M]} and {@code -cN-M}. */
    static final class Cut implements Command {
        @Override
        public int run(Call call) throws IOException {
            String delimiter = "\t";
            String wanted = "";
            boolean characters = false;
            List<String> operands = new ArrayList<>();
            List<String> arguments = call.arguments();
            for (int i = 0; i < arguments.size(); i++) {
                String a = arguments.get(i);
                if (a.matches("-[dfc].*")) {
                    String value = a.length() > 2 ? a.substring(2) : i + 1 < arguments.size() ? arguments.get(++i) : "";
                    delimiter = a.startsWith("-d") ? value : delimiter;
                    wanted = a.startsWith("-d") ? wanted : value;
                    characters |= a.startsWith("-c");
                } else {
                    operands.add(a);
                }
            }
            if (!wanted.matches("[\\d,-]+")) {
                return call.fail(1, "you must specify a list of bytes, characters, or fields");
            }
            Inputs inputs = new Inputs(call, operands);
            for (String line : inputs.lines()) {
                String[] parts = characters ? line.split("") : line.split(Pattern.quote(delimiter), -1);
                List<String> kept = new ArrayList<>();
                for (String range : wanted.split(",")) {
                    int dash = range.indexOf('-');
                    int from = dash == 0 ? 1 : Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
                    int to = dash < 0 ? from : dash == range.length() - 1 ? parts.length
                            : Integer.parseInt(range.substring(dash + 1));
                    for (int i = from; i <= Math.min(to, parts.length); i++) {
                        kept.add(parts[i - 1]);
                    }
                }
                call.out().println(String.join(characters ? "" : delimiter, kept));
            }
            return inputs.status;
        }
    }

    /** {@code tr A B}, {@code tr -d A}, with ranges and the usual escapes. */
    static final class Translate implements Command {
        @Override
        public int run(Call call) throws IOException {
            List<String> sets = call.operands().stream().map(Translate::set).toList();
            if (sets.isEmpty() || sets.size() < 2 && !call.has('d') && !call.has('s')) {
                return call.fail(1, "missing operand");
            }
            String text = new String(call.in().readAllBytes(), StandardCharsets.UTF_8);
            StringBuilder out = new StringBuilder();
            for (char c : text.toCharArray()) {
                int at = sets.getFirst().indexOf(c);
                if (at < 0 || sets.size() < 2 && !call.has('d')) {
                    out.append(c);
                } else if (!call.has('d')) {
                    String to = sets.get(1);
                    out.append(to.charAt(Math.min(at, to.length() - 1)));
                }
            }
            call.out().print(out);
            return Call.OK;
        }

        private static String set(String spec) {
            String s = spec.replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0")
                    .replace("[:upper:]", "A-Z").replace("[:lower:]", "a-z");
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < s.length(); i++) {
                if (i + 2 < s.length() && s.charAt(i + 1) == '-') {
                    for (char c = s.charAt(i); c <= s.charAt(i + 2); c++) {
                        out.append(c);
                    }
                    i += 2;
                } else {
                    out.append(s.charAt(i));
                }
            }
            return out.toString();
        }
    }

    static final class Sha256 implements Command {
        @Override
        public int run(Call call) throws IOException {
            Inputs inputs = new Inputs(call, call.operands());
            for (Inputs.Input input : inputs.inputs) {
                try {
                    byte[] digest = MessageDigest.getInstance("SHA-256").digest(input.content());
                    call.out().println(HexFormat.of().formatHex(digest) + "  " + input.name());
                } catch (NoSuchAlgorithmException e) {
                    throw new IllegalStateException("every JDK has SHA-256", e);
                }
            }
            return inputs.status;
        }
    }

    static final class Tee implements Command {
        @Override
        public int run(Call call) throws IOException {
            byte[] content = call.in().readAllBytes();
            call.out().write(content);
            int status = Call.OK;
            for (String file : call.operands()) {
                try {
                    String path = call.path(file);
                    byte[] before = call.has('a') && call.files().exists(path) ? call.files().read(path) : new byte[0];
                    byte[] all = new byte[before.length + content.length];
                    System.arraycopy(before, 0, all, 0, before.length);
                    System.arraycopy(content, 0, all, before.length, content.length);
                    call.machine().files().write(path, all);
                } catch (FileTrouble e) {
                    status = call.fail(1, file + ": " + e.why().words());
                }
            }
            return status;
        }
    }

    static final class Base64Text implements Command {
        @Override
        public int run(Call call) throws IOException {
            Inputs inputs = new Inputs(call, call.operands());
            for (Inputs.Input input : inputs.inputs) {
                if (call.has('d')) {
                    call.out().writeBytes(java.util.Base64.getMimeDecoder().decode(input.content()));
                } else {
                    call.out().println(java.util.Base64.getMimeEncoder(call.has("-w0") ? 0 : 76, new byte[] {'\n'})
                            .encodeToString(input.content()));
                }
            }
            return inputs.status;
        }
    }
}
