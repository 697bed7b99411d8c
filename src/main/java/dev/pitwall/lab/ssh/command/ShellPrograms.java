package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.ssh.shell.Shell;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The small programs that scripts lean on, and those that run others. */
final class ShellPrograms {
    private ShellPrograms() {
    }

    static void install(Commands commands) {
        commands.add("sh", new SubShell()).add("bash", new SubShell()).add("command", new CommandBuiltin())
                .add("which", new Which()).add("type", new Which()).add("sudo", new Prefix(0))
                .add("env", new Prefix(0)).add("nice", new Prefix(0)).add("timeout", new Prefix(1))
                .add("exec", new Exec()).add("nohup", new Prefix(0)).add("sleep", new Sleep())
                .add("basename", new BaseName()).add("dirname", new DirName()).add("xargs", new Xargs())
                .add("clear", call -> {
                    call.out().print("\u001b[H\u001b[2J");
                    return Call.OK;
                });
    }

    static int runNamed(Call call, List<String> words) throws IOException {
        var command = call.shell().commands().find(words.getFirst(), call.machine().state());
        if (command.isEmpty()) {
            call.err().println(call.shell().wording().notFound(words.getFirst()));
            return 127;
        }
        return command.get().run(call.with(words));
    }

    /** {@code sh -c TEXT}, {@code bash FILE}, {@code bash -s}, {@code bash -n FILE}. */
    static final class SubShell implements Command {
        @Override
        public int run(Call call) throws IOException {
            Shell inner = call.shell().inner();
            int at = call.arguments().stream().filter(a -> a.matches("-[a-z]*c")).findFirst()
                    .map(call.arguments()::indexOf).orElse(-1);
            if (at >= 0 && at + 1 < call.arguments().size()) {
                List<String> rest = call.arguments().subList(at + 2, call.arguments().size());
                if (!rest.isEmpty()) {
                    inner.variable("0", rest.getFirst());
                    inner.arguments(rest.subList(1, rest.size()));
                }
                return inner.run(call.arguments().get(at + 1), call.in(), call.out(), call.err());
            }
            List<String> files = call.operands();
            try {
                boolean fed = files.isEmpty() || call.has("-s");
                byte[] script = fed ? call.in().readAllBytes() : call.files().read(call.path(files.getFirst()));
                inner.variable("0", fed ? call.name() : files.getFirst());
                inner.arguments(fed ? files : files.subList(1, files.size()));
                String text = new String(script, StandardCharsets.UTF_8);
                return call.has("-n") ? inner.check(text, call.err())
                        : inner.run(text, InputStream.nullInputStream(), call.out(), call.err());
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

    /** The shell becomes another program, and ends with it. */
    static final class Exec implements Command {
        @Override
        public int run(Call call) throws IOException {
            // Without a command its redirections would be the shell's own from here on; see Shell.
            return call.arguments().isEmpty() ? Call.OK : call.shell().exit(runNamed(call, call.arguments()));
        }
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
}
