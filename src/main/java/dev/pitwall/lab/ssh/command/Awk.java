package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The awk that people type to pick columns: {@code [-F X] '[/PATTERN/ | NR==N | $N == "text" | $N ~ /PATTERN/] [{print …}]'}.
 * A program beyond that is refused as a syntax error.
 */
final class Awk implements Command {
    private static final Pattern PROGRAM = Pattern.compile(
            "\\s*(.*?)\\s*(?:\\{\\s*print\\s*(.*?)\\s*;?\\s*(?:;\\s*(exit)\\s*;?\\s*)?\\})?\\s*", Pattern.DOTALL);
    private static final Pattern REGEX = Pattern.compile("(!?)/((?:[^/\\\\]|\\\\.)*)/");
    private static final Pattern COMPARED = Pattern.compile("(NR|NF|\\$\\d+)\\s*(==|!=|>=|<=|>|<)\\s*(\"[^\"]*\"|\\d+)");
    private static final Pattern MATCHED = Pattern.compile("(\\$\\d+)\\s*(!?~)\\s*/((?:[^/\\\\]|\\\\.)*)/");
    private static final Pattern VALUE = Pattern.compile("\\s*(\\$NF|\\$\\d+|NR|NF|\"(?:[^\"\\\\]|\\\\.)*\")\\s*(,?)");

    /** One line in fields. */
    private record Row(String line, List<String> fields, int number) {
        String value(String name) {
            return switch (name) {
                case "NR" -> Integer.toString(number);
                case "NF" -> Integer.toString(fields.size());
                case "$NF" -> fields.isEmpty() ? "" : fields.getLast();
                case "$0" -> line;
                default -> name.startsWith("\"") ? ShellBuiltins.Printf.unescape(name.substring(1, name.length() - 1))
                        : field(Integer.parseInt(name.substring(1)));
            };
        }

        private String field(int index) {
            return index <= fields.size() ? fields.get(index - 1) : "";
        }
    }

    @Override
    public int run(Call call) throws IOException {
        Options options = Options.of(call, "F:v:");
        List<String> operands = new ArrayList<>(options.operands());
        if (options.refused() || operands.isEmpty()) {
            call.err().println("usage: awk [-F fs] 'prog' [file ...]");
            return 2;
        }
        String program = operands.removeFirst();
        Matcher m = PROGRAM.matcher(program);
        if (!m.matches() || !isCondition(m.group(1)) || m.group(2) != null && !isList(m.group(2))) {
            call.err().println("awk: line 1: syntax error at or near " + program.strip());
            return 2;
        }
        Inputs inputs = new Inputs(call, operands);
        int number = 0;
        for (String line : inputs.lines()) {
            Row row = new Row(line, fields(line, options.value("F", "").orElse(" ")), ++number);
            if (holds(m.group(1), row)) {
                call.out().println(m.group(2) == null || m.group(2).isBlank() ? line : printed(m.group(2), row));
                if (m.group(3) != null) {
                    break;
                }
            }
        }
        return inputs.status;
    }

    private static List<String> fields(String line, String separator) {
        if (separator.equals(" ")) {
            return line.isBlank() ? List.of() : List.of(line.strip().split("\\s+"));
        }
        return List.of(line.split(separator.length() == 1 ? Pattern.quote(separator) : separator, -1));
    }

    private static boolean isCondition(String text) {
        return text.isEmpty() || REGEX.matcher(text).matches() || COMPARED.matcher(text).matches()
                || MATCHED.matcher(text).matches();
    }

    private static boolean isList(String text) {
        return text.isBlank() || VALUE.matcher(text).replaceAll("").isBlank();
    }

    private static boolean holds(String condition, Row row) {
        Matcher regex = REGEX.matcher(condition);
        if (regex.matches()) {
            return Pattern.compile(regex.group(2).replace("\\/", "/")).matcher(row.line()).find()
                    == regex.group(1).isEmpty();
        }
        Matcher matched = MATCHED.matcher(condition);
        if (matched.matches()) {
            return Pattern.compile(matched.group(3)).matcher(row.value(matched.group(1))).find()
                    == matched.group(2).equals("~");
        }
        Matcher compared = COMPARED.matcher(condition);
        return !compared.matches() || compare(row.value(compared.group(1)), compared.group(2),
                compared.group(3).replace("\"", ""));
    }

    private static boolean compare(String left, String operator, String right) {
        boolean numbers = left.matches("-?\\d+(\\.\\d+)?") && right.matches("-?\\d+(\\.\\d+)?");
        int order = numbers ? Double.compare(Double.parseDouble(left), Double.parseDouble(right))
                : left.compareTo(right);
        return switch (operator) {
            case "==" -> order == 0;
            case "!=" -> order != 0;
            case ">=" -> order >= 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order < 0;
        };
    }

    private static String printed(String list, Row row) {
        StringBuilder out = new StringBuilder();
        Matcher m = VALUE.matcher(list);
        while (m.find()) {
            out.append(row.value(m.group(1))).append(m.group(2).isEmpty() ? "" : " ");
        }
        return out.toString();
    }
}
