package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.Content;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A machine whose calls are told to a watcher, as {@code pve2 ssh}. */
final class WatchedMachine implements Machine {
    private final Machine machine;
    private final String system;
    private final Watching watching;

    WatchedMachine(Machine machine, Watching watching) {
        this.machine = machine;
        this.system = machine.name() + " ssh";
        this.watching = watching;
    }

    @Override
    public String name() {
        return machine.name();
    }

    /** What it prints is told too. */
    @Override
    public Ran run(List<String> arguments, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        return watching.call(system, String.join(" ", arguments), () -> machine.run(arguments, limit, line -> {
            watching.printed(system, line);
            lines.accept(line);
        }), WatchedMachine::outcome);
    }

    /** Only that it was asked: what a read prints is shown where it is used. */
    @Override
    public Ran run(String... arguments) throws TroubleException, InterruptedException {
        return watching.call(system, String.join(" ", arguments), () -> machine.run(arguments),
                WatchedMachine::outcome);
    }

    private static String outcome(Ran ran) {
        return ran.exit().isPresent() ? "exit " + ran.exit().getAsInt() : "ended by a signal";
    }

    @Override
    public Content read(String path) throws TroubleException, InterruptedException {
        return watching.call(system, "read " + path, () -> machine.read(path), WatchedMachine::size);
    }

    @Override
    public void write(String path, Content content, String copyBefore) throws TroubleException, InterruptedException {
        watching.call(system, (content.absent() ? "remove " : "write ") + path, () -> {
            machine.write(path, content, copyBefore);
            return content;
        }, written -> written.absent() ? "removed" : size(written));
    }

    private static String size(Content content) {
        return switch (content) {
            case Content.Absent absent -> "no such file";
            case Content.Bytes(byte[] bytes) -> bytes.length + " bytes";
        };
    }

    @Override
    public void close() {
        // Its systems close it.
    }
}
