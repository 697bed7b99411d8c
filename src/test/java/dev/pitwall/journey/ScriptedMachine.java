package dev.pitwall.journey;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.Content;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A machine that says to each command what a test has given it, and has no other program. */
public final class ScriptedMachine implements Machine {
    private final String name;
    private final Map<String, Ran> answers = new ConcurrentHashMap<>();
    private final Map<String, Ran> beginnings = new ConcurrentHashMap<>();
    private final Map<String, Content> files = new ConcurrentHashMap<>();

    public ScriptedMachine(String name) {
        this.name = name;
    }

    /** @param command its words with blanks between them */
    public ScriptedMachine says(String command, String output) {
        answers.put(command, new Ran(OptionalInt.of(0), output, "", Duration.ZERO));
        return this;
    }

    /** The same for every command that begins so and has no answer of its own. */
    public ScriptedMachine saysToAll(String beginning, String output) {
        beginnings.put(beginning, new Ran(OptionalInt.of(0), output, "", Duration.ZERO));
        return this;
    }

    public ScriptedMachine fails(String command, int exit, String errors) {
        answers.put(command, new Ran(OptionalInt.of(exit), "", errors, Duration.ZERO));
        return this;
    }

    public ScriptedMachine has(String path, String text) {
        files.put(path, Content.of(text));
        return this;
    }

    /** The only machine of a site without Proxmox. */
    public Systems alone() {
        return new Systems() {
            @Override
            public Machine machine(String asked) {
                return ScriptedMachine.this;
            }

            @Override
            public Proxmox proxmox(String node) throws TroubleException {
                throw new TroubleException(new Trouble(Trouble.Kind.MISSING, node, "no API", "Add one."));
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Ran run(List<String> arguments, Duration limit, Consumer<String> lines) {
        String command = String.join(" ", arguments);
        Ran ran = Optional.ofNullable(answers.get(command)).or(() -> beginnings.entrySet().stream()
                .filter(e -> command.startsWith(e.getKey())).map(Map.Entry::getValue).findFirst())
                .orElseGet(() -> new Ran(OptionalInt.of(127), "",
                        "bash: line 1: " + arguments.getFirst() + ": command not found\n", Duration.ZERO));
        (ran.output() + ran.errors()).lines().forEach(lines);
        return ran;
    }

    @Override
    public Content read(String path) {
        return files.getOrDefault(path, Content.ABSENT);
    }

    @Override
    public void write(String path, Content content, String copyBefore) {
        switch (content) {
            case Content.Absent absent -> files.remove(path);
            case Content.Bytes bytes -> files.put(path, bytes);
        }
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
