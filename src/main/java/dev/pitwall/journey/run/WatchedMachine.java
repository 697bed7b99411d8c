package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.change.Content;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A machine whose every command and file access is told. */
final class WatchedMachine implements Machine {
    private final Machine machine;
    private final Told told;

    WatchedMachine(Machine machine, Told told) {
        this.machine = machine;
        this.told = told;
    }

    @Override
    public String name() {
        return machine.name();
    }

    @Override
    public Ran run(List<String> arguments, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        return told.tell(String.join(" ", arguments), () -> machine.run(arguments, limit, lines),
                ran -> ran.exit().isPresent() ? "exit " + ran.exit().getAsInt() : "ended by a signal");
    }

    @Override
    public Content read(String path) throws TroubleException, InterruptedException {
        return told.tell("read " + path, () -> machine.read(path),
                content -> content.absent() ? "no such file" : length(content));
    }

    private static String length(Content content) {
        return switch (content) {
            case Content.Absent a -> "";
            case Content.Bytes(byte[] bytes) -> bytes.length + " bytes";
        };
    }

    @Override
    public void write(String path, Content content, String copyBefore) throws TroubleException, InterruptedException {
        told.tell((content.absent() ? "remove " : "write ") + path, () -> {
            machine.write(path, content, copyBefore);
            return content;
        }, written -> written.absent() ? "gone" : length(written));
    }

    /** The machine belongs to whoever opened it. */
    @Override
    public void close() {
    }
}
