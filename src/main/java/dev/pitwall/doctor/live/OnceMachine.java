package dev.pitwall.doctor.live;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.change.Content;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A machine of which the same is read once; it is told apart by its name. */
record OnceMachine(Machine machine, Memo memo) implements Machine {

    @Override
    public String name() {
        return machine.name();
    }

    @Override
    public Ran run(List<String> arguments, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        Ran ran = memo.ask(List.of("run", machine.name(), arguments), () -> machine.run(arguments, limit, line -> { }));
        ran.output().lines().forEach(lines);
        return ran;
    }

    @Override
    public Content read(String path) throws TroubleException, InterruptedException {
        return memo.ask(List.of("read", machine.name(), path), () -> machine.read(path));
    }

    @Override
    public void write(String path, Content content, String copyBefore) {
        throw ReadOnce.writes();
    }

    @Override
    public void close() {
        // Its systems close it.
    }
}
