package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.Entry;
import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.FileView;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.ssh.shell.Shell;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** What a shell does by itself. */
final class ShellBuiltins {
    private ShellBuiltins() {
    }

    static void install(Commands commands) {
        commands.add("echo", new Echo()).add("printf", new Printf()).add("test", new Test()).add("[", new Test())
                .add("[[", new Test()).add("cd", new ChangeDirectory()).add("true", call -> Call.OK)
                .add(":", call -> Call.OK).add("false", call -> 1).add("exit", new Exit())
                .add("break", new Leave(Shell.Then.AFTER_THE_LOOP)).add("continue", new Leave(Shell.Then.NEXT_ROUND))
                .add("logout", new Exit()).add("export", new Export()).add("set", new SetOptions())
                .add("shopt", call -> Call.OK).add("umask", call -> Call.OK).add("unset", call -> Call.OK)
                .add("hash", call -> Call.OK).add("trap", call -> Call.OK).add("pwd", call -> {
                    call.out().println(call.shell().directory());
                    return Call.OK;
                }).add("read", new Read()).add("local", new Local()).add("return", new Return())
                .add("shift", new Shift());
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

    static final class Leave implements Command {
        private final Shell.Then then;

        Leave(Shell.Then then) {
            this.then = then;
        }

        @Override
        public int run(Call call) {
            String loops = call.arguments().isEmpty() ? "1" : call.arguments().getFirst();
            return loops.matches("[1-9]\\d{0,3}") ? call.shell().leave(Integer.parseInt(loops), then)
                    : call.fail(2, "Illegal number: " + loops);
        }
    }

    static final class Exit implements Command {
        @Override
        public int run(Call call) {
            String status = call.arguments().isEmpty() ? call.shell().variable("?") : call.arguments().getFirst();
            return call.shell().exit(status.matches("\\d+") ? Integer.parseInt(status) & 0xff : 2);
        }
    }

    /** {@code local NAME[=VALUE]…}. */
    static final class Local implements Command {
        @Override
        public int run(Call call) {
            if (!call.shell().inFunction()) {
                return call.fail(1, "can only be used in a function");
            }
            for (String word : call.operands()) {
                int equals = word.indexOf('=');
                call.shell().local(equals < 0 ? word : word.substring(0, equals));
                if (equals > 0) {
                    call.shell().variable(word.substring(0, equals), word.substring(equals + 1));
                }
            }
            return Call.OK;
        }
    }

    static final class Return implements Command {
        @Override
        public int run(Call call) {
            String status = call.arguments().isEmpty() ? call.shell().variable("?") : call.arguments().getFirst();
            return call.shell().inFunction()
                    ? call.shell().comeBack(status.matches("\\d+") ? Integer.parseInt(status) & 0xff : 2)
                    : call.fail(1, "can only `return' from a function or sourced script");
        }
    }

    static final class Shift implements Command {
        @Override
        public int run(Call call) {
            String count = call.arguments().isEmpty() ? "1" : call.arguments().getFirst();
            List<String> now = call.shell().arguments();
            if (!count.matches("\\d{1,4}") || Integer.parseInt(count) > now.size()) {
                return 1;
            }
            call.shell().arguments(now.subList(Integer.parseInt(count), now.size()));
            return Call.OK;
        }
    }

    /** {@code set -e}, {@code set +e}, {@code set -euo pipefail}; what else is set has no effect on this shell. */
    static final class SetOptions implements Command {
        @Override
        public int run(Call call) {
            for (String word : call.arguments()) {
                if (word.equals("pipefail")) {
                    call.shell().failsWithAnyStage(!call.arguments().getFirst().startsWith("+"));
                } else if (word.matches("[-+][a-zA-Z]*e[a-zA-Z]*") || word.equals("errexit")) {
                    call.shell().exitsOnError(!word.startsWith("+"));
                }
            }
            return Call.OK;
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
