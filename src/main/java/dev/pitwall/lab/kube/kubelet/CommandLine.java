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
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs a command line in its own time: what it does follows from when it began, and nobody waits for it. What is written
 * to its output and its errors is the container's log. Of files it has those its volumes show; others it neither finds
 * nor makes. Texts of errors are those of busybox's shell.
 */
final class CommandLine {
    static final int LOOK = 2_000;
    static final int MOST = 200_000;
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss 'UTC' yyyy", Locale.ROOT).withZone(ZoneOffset.UTC);
    /** What is a program of its own; the rest of what it can do is built into the shell. */
    private static final Set<String> PROGRAMS = Set.of("sh", "bash", "ash", "sleep", "echo", "true", "false", "date",
            "hostname");
    private static final Pattern VARIABLE = Pattern.compile("(\\w+|\\?)(?::-(.*))?");
    private static final String SPACE = "[ \\t\\n]+";

    private final Run run;
    private final Instant horizon;
    private final int most;
    private final List<LogSource.Line> lines = new ArrayList<>();
    private final Map<String, String> variables = new TreeMap<>();
    private Instant at;
    private int steps;
    /** Of the last command. */
    private int status;
    private Consumer<String> out = this::log;
    private Consumer<String> err = this::log;

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
        return PROGRAMS.contains(command.substring(command.lastIndexOf('/') + 1));
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
        status = switch (syntax) {
            case Syntax.Sequence sequence -> {
                int last = 0;
                for (Syntax part : sequence.parts()) {
                    last = execute(part);
                }
                yield last;
            }
            case Syntax.Both both -> {
                int left = execute(both.left());
                yield (left == 0) == (both.condition() == Syntax.Condition.IF_SUCCEEDED) ? execute(both.right()) : left;
            }
            case Syntax.Not not -> execute(not.command()) == 0 ? 1 : 0;
            case Syntax.Group group -> redirected(group.redirects(), () -> execute(group.body()));
            case Syntax.Subshell inner -> redirected(inner.redirects(), () -> apart(() -> execute(inner.body())));
            case Syntax.While loop -> redirected(loop.redirects(), () -> repeat(loop));
            case Syntax.For loop -> redirected(loop.redirects(), () -> repeat(loop));
            case Syntax.If choice -> redirected(choice.redirects(), () -> branch(choice));
            case Syntax.Simple simple -> simple(simple);
            case Syntax.Pipeline pipeline -> refuse("sh: pipes are not run in this practice lab");
        };
        return status;
    }

    private int repeat(Syntax.While loop) {
        int last = 0;
        while (execute(loop.condition()) == 0) {
            last = execute(loop.body());
        }
        return last;
    }

    private int repeat(Syntax.For loop) {
        int last = 0;
        for (String word : words(loop.words())) {
            variables.put(loop.variable(), word);
            last = execute(loop.body());
        }
        return last;
    }

    private int branch(Syntax.If choice) {
        for (Syntax.If.Branch branch : choice.branches()) {
            if (execute(branch.condition()) == 0) {
                return execute(branch.body());
            }
        }
        return execute(choice.otherwise());
    }

    private int simple(Syntax.Simple simple) {
        simple.assignments().forEach(one -> variables.put(one.name(), text(one.value())));
        List<String> words = words(simple.words());
        if (words.equals(List.of("exec"))) {
            // Without a command its redirections are the shell's own from here on.
            return redirect(simple.redirects());
        }
        return redirected(simple.redirects(), () -> words.isEmpty() ? 0 : command(words));
    }

    /** Runs a part of which the shell keeps nothing but the status. */
    private int apart(IntSupplier body) {
        Map<String, String> before = new TreeMap<>(variables);
        try {
            return body.getAsInt();
        } catch (Exit exit) {
            return exit.status;
        } finally {
            variables.clear();
            variables.putAll(before);
        }
    }

    private int redirected(List<Syntax.Redirect> redirects, IntSupplier body) {
        Consumer<String> output = out;
        Consumer<String> errors = err;
        try {
            int trouble = redirect(redirects);
            return trouble == 0 ? body.getAsInt() : trouble;
        } finally {
            out = output;
            err = errors;
        }
    }

    /** @return 0, or 1 where one of them cannot be made: it has said so then */
    private int redirect(List<Syntax.Redirect> redirects) {
        Consumer<String> errors = err;
        for (Syntax.Redirect redirect : redirects) {
            Optional<String> trouble = redirect(redirect);
            if (trouble.isPresent()) {
                errors.accept("sh: " + trouble.get());
                return 1;
            }
        }
        return 0;
    }

    private Optional<String> redirect(Syntax.Redirect redirect) {
        String target = text(redirect.target());
        return switch (redirect.kind()) {
            case READ -> target.equals("/dev/null") || run.mounted(target).isPresent() ? Optional.empty()
                    : Optional.of("can't open " + target + ": no such file");
            case HERE -> Optional.of("here-documents are not read in this practice lab");
            case WRITE, APPEND -> stream(target).map(to -> into(redirect.descriptor(), to))
                    .orElseGet(() -> Optional.of("can't create " + target + ": Read-only file system"));
            case DUPLICATE -> stream("/dev/fd/" + target).map(to -> into(redirect.descriptor(), to))
                    .orElseGet(() -> Optional.of("bad file descriptor: " + target));
        };
    }

    /** What can be written to under a name. */
    private Optional<Consumer<String>> stream(String name) {
        return switch (name) {
            case "/dev/null", "/dev/fd/-" -> Optional.of(text -> { });
            case "/dev/stdout", "/dev/fd/1" -> Optional.of(out);
            case "/dev/stderr", "/dev/fd/2" -> Optional.of(err);
            case "/proc/1/fd/1", "/proc/1/fd/2" -> Optional.of(this::log);
            default -> Optional.empty();
        };
    }

    private Optional<String> into(int descriptor, Consumer<String> to) {
        switch (descriptor) {
            case 1 -> out = to;
            case 2 -> err = to;
            default -> {
                return Optional.of("descriptor " + descriptor + " is not written to in this practice lab");
            }
        }
        return Optional.empty();
    }

    /** Arguments: what was not quoted and came from a variable or a command falls apart at its spaces. */
    private List<String> words(List<Syntax.Word> words) {
        List<String> found = new ArrayList<>();
        for (Syntax.Word word : words) {
            StringBuilder current = new StringBuilder();
            boolean any = false;
            for (Syntax.Piece piece : word.pieces()) {
                String text = text(piece);
                List<String> parts = isQuoted(piece) ? List.of(text) : List.of(text.split(SPACE, -1));
                for (String part : parts.subList(0, parts.size() - 1)) {
                    current.append(part);
                    if (any || !current.isEmpty()) {
                        found.add(current.toString());
                    }
                    current.setLength(0);
                    any = false;
                }
                current.append(parts.getLast());
                any |= isQuoted(piece);
            }
            if (any || !current.isEmpty()) {
                found.add(current.toString());
            }
        }
        return found;
    }

    private static boolean isQuoted(Syntax.Piece piece) {
        return switch (piece) {
            case Syntax.Text plain -> plain.quoted();
            case Syntax.Variable variable -> variable.quoted();
            case Syntax.Substitution inner -> inner.quoted();
            case Syntax.Arithmetic sum -> sum.quoted();
        };
    }

    private String text(Syntax.Word word) {
        StringBuilder text = new StringBuilder();
        word.pieces().forEach(piece -> text.append(text(piece)));
        return text.toString();
    }

    private String text(Syntax.Piece piece) {
        return switch (piece) {
            case Syntax.Text plain -> plain.text();
            case Syntax.Variable variable -> value(variable.expression());
            case Syntax.Substitution inner -> output(inner.commandLine());
            case Syntax.Arithmetic sum -> {
                refuse("sh: arithmetic is not done in this practice lab");
                throw new Exit(2);
            }
        };
    }

    private String value(String expression) {
        Matcher variable = VARIABLE.matcher(expression);
        if (!variable.matches()) {
            refuse("sh: syntax error: bad substitution");
            throw new Exit(2);
        }
        String name = variable.group(1);
        String value = name.equals("?") ? Integer.toString(status)
                : variables.getOrDefault(name, run.environment(name).orElse(""));
        return value.isEmpty() && variable.group(2) != null ? variable.group(2) : value;
    }

    /** What a command writes to its output, without the last ends of lines. */
    private String output(String commandLine) {
        List<String> written = new ArrayList<>();
        Consumer<String> before = out;
        out = written::add;
        try {
            status = apart(() -> parsed(commandLine));
        } finally {
            out = before;
        }
        return String.join("\n", written).replaceFirst("\n+$", "");
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
            case "exit" -> throw new Exit(rest.isEmpty() ? status : exitStatus(rest.getFirst()));
            case "exec" -> throw new Exit(command(rest));
            case "echo" -> print(String.join(" ", rest));
            case "date" -> print(DATE.format(at));
            case "hostname" -> print(run.pod().key().name());
            case "sleep" -> sleep(rest);
            case "sh", "bash", "ash" -> shell(rest);
            default -> {
                err.accept("sh: " + words.getFirst() + ": not found");
                yield 127;
            }
        };
    }

    private int shell(List<String> arguments) {
        if (arguments.size() < 2 || !arguments.getFirst().endsWith("c")) {
            // Without a terminal there is nothing to read.
            return 0;
        }
        return apart(() -> {
            for (int i = 2; i < arguments.size(); i++) {
                variables.put(Integer.toString(i - 2), arguments.get(i));
            }
            return parsed(arguments.get(1));
        });
    }

    private int exitStatus(String number) {
        return number.matches("\\d{1,9}") ? Integer.parseInt(number) & 255
                : refuse("sh: exit: Illegal number: " + number);
    }

    private int parsed(String commandLine) {
        try {
            return execute(Parser.parse(commandLine));
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
        err.accept(why);
        return 2;
    }

    private int print(String text) {
        out.accept(text);
        return 0;
    }

    private void log(String text) {
        if (!at.isAfter(horizon)) {
            for (String line : text.split("\n", -1)) {
                lines.add(new LogSource.Line(at, line));
            }
        }
    }
}
