package dev.pitwall.lab.ssh.shell;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What names stand for in a shell: variables, functions, and the arguments of the script or function that runs. */
final class Scope {
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final Map<String, Syntax> functions = new HashMap<>();
    /** The functions that run, the innermost first. */
    private final Deque<Frame> frames = new ArrayDeque<>();
    private List<String> arguments = List.of();

    /**
     * @param outer  the arguments of what called the function
     * @param hidden what its local variables hide; empty where there was nothing
     */
    private record Frame(List<String> outer, Map<String, Optional<String>> hidden) {
    }

    /** The same names, for a shell that goes on from here and changes none of them for this one. */
    Scope copy() {
        Scope copy = new Scope();
        copy.variables.putAll(variables);
        copy.functions.putAll(functions);
        copy.frames.addAll(frames);
        copy.arguments = arguments;
        return copy;
    }

    /** A variable or argument; empty text if unset. */
    String value(String name) {
        return switch (name) {
            case "#" -> Integer.toString(arguments.size());
            case "@", "*" -> String.join(" ", arguments);
            default -> name.matches("[1-9]\\d*") ? argument(name) : variables.getOrDefault(name, "");
        };
    }

    private String argument(String number) {
        return number.length() < 5 && Integer.parseInt(number) <= arguments.size()
                ? arguments.get(Integer.parseInt(number) - 1) : "";
    }

    void put(String name, String value) {
        variables.put(name, value);
    }

    /** Puts back what a name stood for. */
    void restore(String name, Optional<String> value) {
        value.ifPresentOrElse(v -> variables.put(name, v), () -> variables.remove(name));
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(variables.get(name));
    }

    Map<String, String> variables() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(variables));
    }

    List<String> arguments() {
        return arguments;
    }

    void arguments(List<String> now) {
        arguments = List.copyOf(now);
    }

    void define(String name, Syntax body) {
        functions.put(name, body);
    }

    Optional<Syntax> function(String name) {
        return Optional.ofNullable(functions.get(name));
    }

    boolean inFunction() {
        return !frames.isEmpty();
    }

    /** A function begins. */
    void enter(List<String> given) {
        frames.push(new Frame(arguments, new HashMap<>()));
        arguments(given);
    }

    /** It ends: what its local variables hid is there again. */
    void leave() {
        Frame frame = frames.pop();
        frame.hidden().forEach(this::restore);
        arguments = frame.outer();
    }

    /** The function that runs has this variable for itself, empty at first. */
    void local(String name) {
        frames.getFirst().hidden().putIfAbsent(name, find(name));
        variables.put(name, "");
    }
}
