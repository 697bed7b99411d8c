package dev.pitwall.lab.kube.exec;

import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.ssh.Layer;
import dev.pitwall.lab.ssh.Machine;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.ssh.shell.Manner;
import dev.pitwall.lab.ssh.shell.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs a container's command line in its own time: what it does follows from when it began, and nobody waits for it. It
 * is run anew from its begin whenever somebody asks. What it saw of the world is remembered from the first time, so that
 * its past stays what it was; a program that sees the world is run when its moment has come, not before.
 */
public final class Timeline {
    /** Steps after which nothing more is known of it: it goes on and says nothing. */
    private static final int MOST = 300_000;
    /** As many looks at the world are remembered. */
    private static final int MOST_SEEN = 5_000;
    private static final Duration AHEAD = Duration.ofMinutes(10);
    private static final Duration STEP = Duration.ofMillis(1);
    private static final String SEEN = "seen ";
    /** Programs whose output follows from more than their arguments and what was written in the container. */
    private static final Set<String> SEES = Set.of("nvidia-smi", "cat", "ls", "grep", "egrep", "fgrep", "head", "tail",
            "wc", "find", "stat", "free", "uptime", "lscpu", "ps", "sha256sum", "md5sum", "test", "[", "[[");
    private static final Set<String> TESTS = Set.of("test", "[", "[[");

    private final InsideMachines machines;
    private final Inside inside;
    private final Map<String, String> notes;
    private final Instant start;
    private final Layer layer;
    private Instant at;
    private Instant horizon = Instant.MIN;
    /** Up to when the world may be looked at. */
    private Instant present = Instant.MIN;
    private int steps;

    /** @param notes what it remembers; the same at each time */
    public Timeline(InsideMachines machines, Inside inside, Instant start, Map<String, String> notes) {
        this.machines = machines;
        this.inside = inside;
        this.notes = notes;
        this.start = start;
        this.at = start;
        this.layer = new Layer(inside.readOnly());
    }

    /** How it stands. */
    public sealed interface Outcome {
        record Exited(int status, Instant at) implements Outcome {
        }

        /** @param again when more can be said; {@link Instant#MAX} for never */
        record GoesOn(Instant again) implements Outcome {
        }
    }

    /** Nothing is known after this. */
    private static final class Later extends RuntimeException {
        private static final long serialVersionUID = 1;

        Later() {
            super("", null, false, false);
        }
    }

    /** Where its process is at a moment; looks at the world up to then. */
    public Outcome look(List<String> words, Instant now) {
        Duration past = Duration.between(start, now);
        present = now;
        horizon = now.plus(past.compareTo(AHEAD) > 0 ? past : AHEAD);
        return switch (run(words, new Log())) {
            case Outcome.Exited exited -> exited;
            case Outcome.GoesOn on when on.again().isAfter(now) -> on;
            case Outcome.GoesOn tooMuch -> new Outcome.GoesOn(Instant.MAX);
        };
    }

    /** All that it has written up to a moment. */
    public List<LogSource.Line> log(List<String> words, Instant until) {
        Log log = new Log();
        horizon = until;
        run(words, log);
        return log.lines();
    }

    /** What it has written on its files up to a moment. */
    public Map<String, byte[]> files(List<String> words, Instant until) {
        horizon = until;
        run(words, new Log());
        return layer.files();
    }

    private Outcome run(List<String> words, Log log) {
        Machine machine = machines.machine(inside, layer, () -> at);
        Commands commands = new Commands();
        Commands real = machines.commands(inside, machine);
        for (String name : machines.tools(inside.image()).programs()) {
            real.find(name, machine.state()).ifPresent(command -> commands.add(name, inTime(name, command)));
        }
        real.find("nvidia-smi", machine.state()).ifPresent(command -> commands.add("nvidia-smi",
                inTime("nvidia-smi", command)));
        machines.tools(inside.image()).unserved().forEach(name -> commands.add(name, ContainerPrograms::unserved));
        Shell shell = new Shell(machine, commands, inside.environment(), inside.directory(),
                new Manner(Sayings.of(machines.tools(inside.image()), words), this::step, Integer.MAX_VALUE));
        try (PrintStream out = new PrintStream(log, true, StandardCharsets.UTF_8)) {
            int status = shell.command(words, InputStream.nullInputStream(), out, out);
            return new Outcome.Exited(status, at);
        } catch (Later later) {
            return new Outcome.GoesOn(at);
        } catch (IOException e) {
            throw new UncheckedIOException("a log in memory cannot be written", e);
        }
    }

    private void step(List<String> words) {
        at = at.plus(STEP);
        steps++;
        if (at.isAfter(horizon) || steps > MOST) {
            throw new Later();
        }
    }

    private Command inTime(String name, Command command) {
        return switch (name) {
            case "sleep" -> this::sleep;
            case "timeout" -> this::timeout;
            default -> SEES.contains(name) ? call -> sees(name, call) ? seen(call, command) : command.run(call) : command;
        };
    }

    /** Numbers and texts are compared without a look at anything. */
    private static boolean sees(String name, Call call) {
        return !TESTS.contains(name) || call.arguments().stream().anyMatch(word -> word.matches("-[defrwxsLhSc]"));
    }

    private int sleep(Call call) {
        Optional<Duration> nap = ContainerPrograms.nap(call);
        nap.ifPresent(time -> at = at.plus(time));
        return nap.isPresent() ? Call.OK : 1;
    }

    /** What would be written after its end is not. */
    private int timeout(Call call) throws IOException {
        List<String> words = ContainerPrograms.timed(call);
        Optional<Duration> time = words.size() < 2 ? Optional.empty() : Naps.of(words.getFirst());
        if (time.isEmpty()) {
            return ContainerPrograms.wrongTimeout(call, words);
        }
        Instant end = at.plus(time.get());
        Instant before = horizon;
        horizon = end.isBefore(before) ? end : before;
        try {
            int status = call.shell().inner().command(words.subList(1, words.size()), call.in(), call.out(), call.err());
            if (!at.isAfter(end)) {
                return status;
            }
        } catch (Later later) {
            if (end.isAfter(before) || !at.isAfter(end)) {
                throw later;
            }
        } finally {
            horizon = before;
        }
        at = end;
        return ContainerPrograms.timedOut(call.shell().wording());
    }

    /** The first time decides what was seen. */
    private int seen(Call call, Command command) throws IOException {
        String key = SEEN + steps;
        String known = notes.get(key);
        if (known == null) {
            if (at.isAfter(present) || notes.size() > MOST_SEEN) {
                throw new Later();
            }
            known = observed(call, command);
            notes.put(key, known);
        }
        String[] parts = known.split("\0", 3);
        call.out().print(parts[1]);
        call.err().print(parts[2]);
        return Integer.parseInt(parts[0]);
    }

    private static String observed(Call call, Command command) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status;
        try (PrintStream toOut = new PrintStream(out, true, StandardCharsets.UTF_8);
             PrintStream toErr = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            status = command.run(new Call(call.machine(), call.name(), call.arguments(), call.in(), toOut, toErr,
                    call.shell()));
        }
        return status + "\0" + out.toString(StandardCharsets.UTF_8) + "\0" + err.toString(StandardCharsets.UTF_8);
    }

    /** The container's output, each line at the moment at which it ended. */
    private final class Log extends OutputStream {
        private final List<LogSource.Line> lines = new ArrayList<>();
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public void write(int value) {
            if (value == '\n') {
                end();
            } else {
                line.write(value);
            }
        }

        private void end() {
            lines.add(new LogSource.Line(at, line.toString(StandardCharsets.UTF_8)));
            line.reset();
        }

        List<LogSource.Line> lines() {
            if (line.size() > 0) {
                end();
            }
            return lines;
        }
    }
}
