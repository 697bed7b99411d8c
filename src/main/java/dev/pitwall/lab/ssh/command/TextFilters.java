package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Programs that choose and rearrange lines. */
final class TextFilters {
    private TextFilters() {
    }

    static void install(Commands commands) {
        commands.add("grep", new Grep()).add("egrep", new Grep()).add("fgrep", new Grep()).add("sort", new Sort())
                .add("uniq", new Unique()).add("cut", new Cut()).add("tr", new Translate()).add("sed", new Sed())
                .add("awk", new Awk());
    }

    static final class Sort implements Command {
        @Override
        public int run(Call call) throws IOException {
            Options options = Options.of(call, "bdfghik:Mmno:rRsS:t:uVz", "reverse", "numeric-sort", "unique",
                    "version-sort", "key=", "field-separator=", "human-numeric-sort");
            if (options.refused()) {
                return options.refuse(2);
            }
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
            Options options = Options.of(call, "cdDf:is:uw:z", "count", "repeated", "unique");
            if (options.refused()) {
                return options.refuse(1);
            }
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
}
