package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.api.LogSource;
import dev.pitwall.lab.ssh.shell.Parser;
import dev.pitwall.lab.ssh.shell.Syntax;
import dev.pitwall.lab.ssh.shell.SyntaxError;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Runs a command line in its own time: what it does follows from when it began, and nobody waits for it. */
final class CommandLine {
    static final int LOOK = 2_000;
    static final int MOST = 200_000;
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss 'UTC' yyyy", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Set<String> KNOWN = Set.of("sh", "bash", "ash", "sleep", "echo", "true", "false", ":", "exit",
            "date", "hostname", "exec");

    private final Run run;
    private final Instant horizon;
    private final int most;
    private final List<LogSource.Line> lines = new ArrayList<>();
    private final Map<String, String> variables = new TreeMap<>();
    private Instant at;
    private int steps;

    CommandLine(Run run, Instant horizon, int most) {
        this.run = run;
        this.horizon = horizon;
        this.most = most;
        this.at = run.startedAt();
    }

    sealed interface Outcome {
        record Exited(int status, Instant at) implements Outcome {
        }

        /** @param at up to when it is known; {@link Instant#MAX} for ever */
        record GoesOn(Instant at) implements Outcome {
        }
    }

    private static final class Exit extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int status;

        Exit(int status) {
            super("", null, false, false);
            this.status = status;
        }
    }

    private static final class Later extends RuntimeException {
        private static final long serialVersionUID = 1;

        Later() {
            super("", null, false, false);
        }
    }

    static boolean knows(String command) {
        return KNOWN.contains(command.substring(command.lastIndexOf('/') + 1));
    }

    List<LogSource.Line> lines() {
        return lines;
    }

    Outcome run(List<String> words) {
        try {
            return new Outcome.Exited(words.isEmpty() ? 0 : command(words), at);
        } catch (Exit exit) {
            return new Outcome.Exited(exit.status, at);
        } catch (Later later) {
            return new Outcome.GoesOn(at);
        }
    }

    private int execute(Syntax syntax) {
        return switch (syntax) {
            case Syntax.Sequence sequence -> {
                int status = 0;
                for (Syntax part : sequence.parts()) {
                    status = execute(part);
                }
                yield status;
            }
            case Syntax.Both both -> {
                int left = execute(both.left());
                yield (left == 0) == (both.condition() == Syntax.Condition.IF_SUCCEEDED) ? execute(both.right()) : left;
            }
            case Syntax.Not not -> execute(not.command()) == 0 ? 1 : 0;
            case Syntax.Group group -> execute(group.body());
            case Syntax.Subshell subshell -> execute(subshell.body());
            case Syntax.While loop -> {
                int status = 0;
                while (execute(loop.condition()) == 0) {
                    status = execute(loop.body());
                }
                yield status;
            }
            case Syntax.For loop -> {
                int status = 0;
                for (Syntax.Word word : loop.words()) {
                    variables.put(loop.variable(), text(word));
                    status = execute(loop.body());
                }
                yield status;
            }
            case Syntax.If choice -> {
                for (Syntax.If.Branch branch : choice.branches()) {
                    if (execute(branch.condition()) == 0) {
                        yield execute(branch.body());
                    }
                }
                yield execute(choice.otherwise());
            }
            case Syntax.Simple simple -> {
                simple.assignments().forEach(one -> variables.put(one.name(), text(one.value())));
                List<String> words = simple.words().stream().map(this::text).toList();
                yield words.isEmpty() ? 0 : command(words);
            }
            case Syntax.Pipeline pipeline -> refuse("sh: pipes are not run in this practice lab");
        };
    }

    private String text(Syntax.Word word) {
        StringBuilder text = new StringBuilder();
        for (Syntax.Piece piece : word.pieces()) {
            text.append(switch (piece) {
                case Syntax.Text plain -> plain.text();
                case Syntax.Variable variable -> variables.getOrDefault(variable.expression(),
                        run.environment(variable.expression()).orElse(""));
                case Syntax.Substitution inner -> inner.commandLine().strip().equals("date") ? DATE.format(at)
                        : inner.commandLine().strip().equals("hostname") ? run.pod().key().name() : "";
            });
        }
        return text.toString();
    }

    private int command(List<String> words) {
        at = at.plusMillis(1);
        steps++;
        if (at.isAfter(horizon) || steps > most) {
            throw new Later();
        }
        List<String> rest = words.subList(1, words.size());
        return switch (words.getFirst().substring(words.getFirst().lastIndexOf('/') + 1)) {
            case "true", ":" -> 0;
            case "false" -> 1;
            case "exit" -> throw new Exit(rest.isEmpty() ? 0 : Integer.parseInt(rest.getFirst()) & 255);
            case "exec" -> throw new Exit(rest.isEmpty() ? 0 : command(rest));
            case "echo" -> print(String.join(" ", rest));
            case "date" -> print(DATE.format(at));
            case "hostname" -> print(run.pod().key().name());
            case "sleep" -> sleep(rest);
            case "sh", "bash", "ash" -> shell(rest);
            default -> {
                print("sh: " + words.getFirst() + ": not found");
                yield 127;
            }
        };
    }

    private int shell(List<String> arguments) {
        if (arguments.size() < 2 || !arguments.getFirst().endsWith("c")) {
            // Without a terminal there is nothing to read.
            return 0;
        }
        try {
            return execute(Parser.parse(arguments.get(1)));
        } catch (SyntaxError e) {
            return refuse("sh: " + e.getMessage());
        }
    }

    private int sleep(List<String> arguments) {
        String time = arguments.isEmpty() ? "" : arguments.getFirst();
        if (time.equals("infinity")) {
            at = Instant.MAX;
            throw new Later();
        }
        if (!time.matches("\\d{1,9}(\\.\\d{1,3})?[smhd]?")) {
            return refuse("sleep: invalid number '" + time + "'");
        }
        long unit = time.endsWith("m") ? 60 : time.endsWith("h") ? 3600 : time.endsWith("d") ? 86_400 : 1;
        at = at.plusMillis(Math.round(Double.parseDouble(time.replaceAll("[smhd]$", "")) * 1000 * unit));
        return 0;
    }

    private int refuse(String why) {
        print(why);
        return 2;
    }

    private int print(String text) {
        if (!at.isAfter(horizon)) {
            lines.add(new LogSource.Line(at, text));
        }
        return 0;
    }
}
