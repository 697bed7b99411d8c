package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.Entry;
import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.FileView;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.ssh.shell.Shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** What a shell does by itself, and the small programs that scripts lean on. */
final class ShellCommands {
    private ShellCommands() {
    }

    static void install(Commands commands) {
        commands.add("echo", new Echo()).add("printf", new Printf()).add("test", new Test()).add("[", new Test())
                .add("[[", new Test()).add("cd", new ChangeDirectory()).add("true", call -> Call.OK)
                .add(":", call -> Call.OK).add("false", call -> 1).add("exit", new Exit())
                .add("logout", new Exit()).add("export", new Export()).add("set", call -> Call.OK)
                .add("shopt", call -> Call.OK).add("umask", call -> Call.OK).add("unset", call -> Call.OK)
                .add("sh", new SubShell()).add("bash", new SubShell()).add("command", new CommandBuiltin())
                .add("which", new Which()).add("type", new Which()).add("sudo", new Prefix(0))
                .add("env", new Prefix(0)).add("nice", new Prefix(0)).add("timeout", new Prefix(1))
                .add("exec", new Prefix(0)).add("sleep", new Sleep()).add("basename", new BaseName())
                .add("dirname", new DirName()).add("xargs", new Xargs()).add("pwd", call -> {
                    call.out().println(call.shell().directory());
                    return Call.OK;
                }).add("read", new Read()).add("clear", call -> {
                    call.out().print("\u001b[H\u001b[2J");
                    return Call.OK;
                });
    }

    static final class Echo implements Command {
        @Override
        public int run(Call call) {
            List<String> words = new ArrayList<>(call.arguments());
            boolean newline = true;
            boolean escapes = false;
            while (!words.isEmpty() && words.getFirst().matches("-[neE]+")) {
                newline &= !words.getFirst().contains("n");
                escapes |= words.getFirst().contains("e");
                words.removeFirst();
            }
            String text = String.join(" ", words);
            call.out().print((escapes ? Printf.unescape(text) : text) + (newline ? "\n" : ""));
            return Call.OK;
        }
    }

    /** {@code %s}, {@code %d}, {@code %b}, {@code %%} and the usual escapes; the format repeats as bash's does. */
    static final class Printf implements Command {
        @Override
        public int run(Call call) {
            if (call.arguments().isEmpty()) {
                return call.fail(2, "usage: printf [-v var] format [arguments]");
            }
            String format = unescape(call.arguments().getFirst());
            Iterator<String> values = call.arguments().subList(1, call.arguments().size()).iterator();
            do {
                call.out().print(once(format, values));
            } while (values.hasNext() && format.matches("(?s).*%[-\\d.]*[sdbxq].*"));
            return Call.OK;
        }

        private static String once(String format, Iterator<String> values) {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < format.length(); i++) {
                char c = format.charAt(i);
                if (c != '%' || i + 1 >= format.length()) {
                    out.append(c);
                    continue;
                }
                int end = i + 1;
                while (end < format.length() - 1 && "-0123456789.".indexOf(format.charAt(end)) >= 0) {
                    end++;
                }
                String spec = format.substring(i, end);
                char kind = format.charAt(end);
                String value = kind != '%' && values.hasNext() ? values.next() : "";
                out.append(switch (kind) {
                    case '%' -> "%";
                    case 's', 'b', 'q' -> spec.equals("%") ? value : String.format(spec + "s", value);
                    case 'd', 'x' -> String.format(spec + kind, value.matches("-?\\d+") ? Long.parseLong(value) : 0L);
                    default -> spec + kind;
                });
                i = end;
            }
            return out.toString();
        }

        static String unescape(String text) {
            return text.replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0").replace("\\\\", "\\");
        }
    }

    /** File, text and number tests, {@code !}, {@code -a}, {@code -o}. */
    static final class Test implements Command {
        @Override
        public int run(Call call) {
            List<String> words = new ArrayList<>(call.arguments());
            String close = call.shortName().equals("[") ? "]" : call.shortName().equals("[[") ? "]]" : "";
            if (!close.isEmpty()) {
                if (words.isEmpty() || !words.getLast().equals(close)) {
                    return call.fail(2, "missing `" + close + "'");
                }
                words.removeLast();
            }
            return or(call, words) ? 0 : 1;
        }

        private boolean or(Call call, List<String> words) {
            int at = words.indexOf("-o");
            return at > 0 ? and(call, words.subList(0, at)) || or(call, words.subList(at + 1, words.size()))
                    : and(call, words);
        }

        private boolean and(Call call, List<String> words) {
            int at = words.indexOf("-a");
            return at > 0 ? one(call, words.subList(0, at)) && and(call, words.subList(at + 1, words.size()))
                    : one(call, words);
        }

        private boolean one(Call call, List<String> w) {
            if (!w.isEmpty() && w.getFirst().equals("!")) {
                return !one(call, w.subList(1, w.size()));
            }
            return switch (w.size()) {
                case 0 -> false;
                case 1 -> !w.getFirst().isEmpty();
                case 2 -> unary(call, w.get(0), w.get(1));
                default -> binary(w.get(0), w.get(1), w.get(2));
            };
        }

        private static boolean unary(Call call, String operator, String value) {
            FileView files = call.files();
            return switch (operator) {
                case "-n" -> !value.isEmpty();
                case "-z" -> value.isEmpty();
                case "-e" -> files.exists(call.path(value));
                case "-r" -> files.exists(call.path(value)) && (mode(call, value) & 0444) != 0;
                case "-w" -> files.exists(call.path(value)) && (mode(call, value) & 0222) != 0;
                case "-x" -> files.exists(call.path(value)) && (mode(call, value) & 0111) != 0;
                case "-f", "-d", "-L", "-h", "-s", "-S", "-c" -> kind(call, operator, value);
                default -> false;
            };
        }

        private static boolean kind(Call call, String operator, String value) {
            try {
                boolean link = operator.equals("-L") || operator.equals("-h");
                Entry entry = call.files().entry(call.path(value), link ? FileView.Follow.NO : FileView.Follow.YES);
                return switch (entry) {
                    case Entry.Directory d -> operator.equals("-d") || operator.equals("-s");
                    case Entry.Link l -> link;
                    case Entry.Regular r -> switch (operator) {
                        case "-f" -> !value.startsWith("/dev/") && !value.endsWith(".sock");
                        case "-c" -> value.startsWith("/dev/");
                        case "-S" -> value.endsWith(".sock");
                        default -> operator.equals("-s") && r.size() > 0;
                    };
                };
            } catch (FileTrouble e) {
                return false;
            }
        }

        private static int mode(Call call, String value) {
            try {
                return call.files().entry(call.path(value), FileView.Follow.YES).mode();
            } catch (FileTrouble e) {
                return 0;
            }
        }

        private static boolean binary(String left, String operator, String right) {
            return switch (operator) {
                case "=", "==" -> left.equals(right);
                case "!=" -> !left.equals(right);
                case "-eq" -> number(left) == number(right);
                case "-ne" -> number(left) != number(right);
                case "-gt" -> number(left) > number(right);
                case "-ge" -> number(left) >= number(right);
                case "-lt" -> number(left) < number(right);
                case "-le" -> number(left) <= number(right);
                default -> false;
            };
        }

        private static long number(String text) {
            return text.strip().matches("-?\\d+") ? Long.parseLong(text.strip()) : 0;
        }
    }

    static final class ChangeDirectory implements Command {
        @Override
        public int run(Call call) {
            String target = call.arguments().isEmpty() ? call.shell().variable("HOME") : call.arguments().getFirst();
            try {
                String path = call.path(target);
                call.files().names(path);
                call.shell().directory(path);
                return Call.OK;
            } catch (FileTrouble e) {
                call.err().println("bash: cd: " + target + ": " + e.why().words());
                return 1;
            }
        }
    }

    static final class Exit implements Command {
        @Override
        public int run(Call call) {
            String status = call.arguments().isEmpty() ? call.shell().variable("?") : call.arguments().getFirst();
            return call.shell().exit(status.matches("\\d+") ? Integer.parseInt(status) & 0xff : 2);
        }
    }

    static final class Export implements Command {
        @Override
        public int run(Call call) {
            for (String word : call.arguments()) {
                int equals = word.indexOf('=');
                if (equals > 0) {
                    call.shell().variable(word.substring(0, equals), word.substring(equals + 1));
                }
            }
            return Call.OK;
        }
    }

    /** {@code sh -c TEXT}, {@code bash FILE}, {@code bash -s}. */
    static final class SubShell implements Command {
        @Override
        public int run(Call call) throws IOException {
            Shell inner = new Shell(call.machine(), call.shell().commands());
            call.shell().variables().forEach(inner::variable);
            inner.directory(call.shell().directory());
            int at = call.arguments().stream().filter(a -> a.matches("-[a-z]*c")).findFirst()
                    .map(call.arguments()::indexOf).orElse(-1);
            if (at >= 0 && at + 1 < call.arguments().size()) {
                List<String> rest = call.arguments().subList(at + 2, call.arguments().size());
                for (int i = 0; i < rest.size(); i++) {
                    inner.variable(Integer.toString(i), rest.get(i));
                }
                return inner.run(call.arguments().get(at + 1), call.in(), call.out(), call.err());
            }
            List<String> files = call.operands();
            try {
                byte[] script = files.isEmpty() ? call.in().readAllBytes() : call.files().read(call.path(files.getFirst()));
                return inner.run(new String(script, StandardCharsets.UTF_8), java.io.InputStream.nullInputStream(),
                        call.out(), call.err());
            } catch (FileTrouble e) {
                call.err().println("bash: " + files.getFirst() + ": " + e.why().words());
                return 127;
            }
        }
    }

    /** Runs the rest of the line as a command, after options and a number of own operands. */
    static final class Prefix implements Command {
        private final int own;

        Prefix(int own) {
            this.own = own;
        }

        @Override
        public int run(Call call) throws IOException {
            List<String> rest = new ArrayList<>(call.arguments());
            while (!rest.isEmpty() && (rest.getFirst().startsWith("-") || rest.getFirst().matches("\\w+=.*"))) {
                String word = rest.removeFirst();
                if (word.matches("\\w+=.*")) {
                    int equals = word.indexOf('=');
                    call.shell().variable(word.substring(0, equals), word.substring(equals + 1));
                }
            }
            for (int i = 0; i < own && !rest.isEmpty(); i++) {
                rest.removeFirst();
            }
            if (rest.isEmpty()) {
                call.shell().variables().forEach((k, v) -> call.out().println(k + "=" + v));
                return Call.OK;
            }
            return runNamed(call, rest);
        }
    }

    static int runNamed(Call call, List<String> words) throws IOException {
        var command = call.shell().commands().find(words.getFirst(), call.machine().state());
        if (command.isEmpty()) {
            call.err().println("bash: " + words.getFirst() + ": command not found");
            return 127;
        }
        return command.get().run(call.with(words));
    }

    static final class CommandBuiltin implements Command {
        @Override
        public int run(Call call) throws IOException {
            if (call.has("-v")) {
                return new Which().run(call);
            }
            return call.arguments().isEmpty() ? Call.OK : runNamed(call, call.arguments());
        }
    }

    static final class Which implements Command {
        @Override
        public int run(Call call) {
            int status = Call.OK;
            for (String name : call.operands()) {
                var known = call.shell().commands().find(name, call.machine().state());
                if (known.isEmpty()) {
                    status = 1;
                    continue;
                }
                String path = List.of("/usr/bin/", "/usr/sbin/", "/usr/local/bin/").stream().map(d -> d + name)
                        .filter(call.files()::exists).findFirst().orElse("/usr/bin/" + name);
                call.out().println(call.shortName().equals("type") ? name + " is " + path : path);
            }
            return status;
        }
    }

    /** Waits as long as the lab's time says. */
    static final class Sleep implements Command {
        @Override
        public int run(Call call) throws IOException {
            String text = call.arguments().isEmpty() ? "" : call.arguments().getFirst();
            if (!text.matches("\\d+(\\.\\d+)?s?")) {
                return call.fail(1, "invalid time interval \u2018" + text + "\u2019");
            }
            var until = call.machine().state().now()
                    .plus(Duration.ofMillis((long) (Double.parseDouble(text.replace("s", "")) * 1000)));
            try {
                call.machine().world().clock().await(until);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            return Call.OK;
        }
    }

    static final class BaseName implements Command {
        @Override
        public int run(Call call) {
            List<String> o = call.operands();
            if (o.isEmpty()) {
                return call.fail(1, "missing operand");
            }
            String name = o.getFirst().replaceFirst("/+$", "");
            name = name.substring(name.lastIndexOf('/') + 1);
            call.out().println(o.size() > 1 && name.endsWith(o.get(1))
                    ? name.substring(0, name.length() - o.get(1).length()) : name);
            return Call.OK;
        }
    }

    static final class DirName implements Command {
        @Override
        public int run(Call call) {
            for (String path : call.operands()) {
                int slash = path.replaceFirst("/+$", "").lastIndexOf('/');
                call.out().println(slash < 0 ? "." : slash == 0 ? "/" : path.substring(0, slash));
            }
            return Call.OK;
        }
    }

    /** {@code xargs [-0] [-n N] [-I X] command…}. */
    static final class Xargs implements Command {
        @Override
        public int run(Call call) throws IOException {
            List<String> words = new ArrayList<>(call.arguments());
            String separator = "\\s+";
            String place = "";
            int each = Integer.MAX_VALUE;
            while (!words.isEmpty() && words.getFirst().startsWith("-")) {
                String option = words.removeFirst();
                if (option.equals("-0")) {
                    separator = "\0";
                } else if (option.startsWith("-n")) {
                    each = Integer.parseInt(option.length() > 2 ? option.substring(2) : words.removeFirst());
                } else if (option.startsWith("-I")) {
                    place = option.length() > 2 ? option.substring(2) : words.removeFirst();
                    separator = "\n";
                    each = 1;
                }
            }
            String input = new String(call.in().readAllBytes(), StandardCharsets.UTF_8);
            List<String> items = new ArrayList<>(List.of(input.split(separator)));
            items.removeIf(String::isBlank);
            List<String> command = words.isEmpty() ? List.of("echo") : words;
            int status = Call.OK;
            for (int i = 0; i < items.size(); i += Math.min(each, items.size())) {
                List<String> chunk = items.subList(i, (int) Math.min((long) i + each, items.size()));
                List<String> line = new ArrayList<>();
                for (String word : command) {
                    line.add(place.isEmpty() ? word : word.replace(place, chunk.getFirst()));
                }
                if (place.isEmpty()) {
                    line.addAll(chunk);
                }
                status = Math.max(status, runNamed(call, line) == 0 ? 0 : 123);
            }
            return status;
        }
    }

    /** Takes one line of standard input into variables. */
    static final class Read implements Command {
        @Override
        public int run(Call call) throws IOException {
            StringBuilder line = new StringBuilder();
            int c = call.in().read();
            if (c < 0) {
                return 1;
            }
            for (; c >= 0 && c != '\n'; c = call.in().read()) {
                line.append((char) c);
            }
            List<String> names = call.operands();
            String[] parts = line.toString().strip().split("\\s+", Math.max(1, names.size()));
            for (int i = 0; i < names.size(); i++) {
                call.shell().variable(names.get(i), i < parts.length ? parts[i] : "");
            }
            return Call.OK;
        }
    }
}
