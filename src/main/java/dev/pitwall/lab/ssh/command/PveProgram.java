package dev.pitwall.lab.ssh.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.software.Waits;
import dev.pitwall.lab.world.HostApi;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One of Proxmox's own programs, such as {@code qm}: its commands are methods of the host's API, called as root. Which, and
 * how their answers are shown, is in {@code pve-programs.yaml}.
 */
final class PveProgram implements Command {
    private static final int FAILED = 255;
    private static final int NO_FILE = 2;
    private static final Duration LOOKS_AGAIN = Duration.ofMillis(500);

    /** @param args arguments without a name, in order */
    record Verb(String name, String method, String path, List<String> args, String shows) {
    }

    private final String program;
    private final List<Verb> verbs;

    PveProgram(String program, JsonNode table) {
        this.program = program;
        List<Verb> read = new ArrayList<>();
        table.properties().forEach(p -> {
            String[] call = p.getValue().path("call").asText().split(" ");
            List<String> args = new ArrayList<>();
            p.getValue().path("args").forEach(a -> args.add(a.asText()));
            read.add(new Verb(p.getKey(), call[0], call[1], args, p.getValue().path("shows").asText()));
        });
        this.verbs = List.copyOf(read);
    }

    @Override
    public int run(Call call) throws IOException {
        String line = String.join(" ", call.arguments());
        Optional<Verb> verb = verbs.stream().filter(v -> v.name().isEmpty() || line.equals(v.name())
                || line.startsWith(v.name() + " ")).max(Comparator.comparingInt(v -> v.name().length()));
        if (verb.isEmpty()) {
            call.err().println(line.isEmpty() ? "ERROR: no command specified" : "ERROR: unknown command '" + program
                    + " "
                    + call.arguments().getFirst() + "'");
            call.err().println("USAGE: " + program + " <COMMAND> [ARGS] [OPTIONS]\n");
            verbs.forEach(v -> call.err().println("       " + usage(v)));
            return FAILED;
        }
        int words = verb.get().name().isEmpty() ? 0 : verb.get().name().split(" ").length;
        return run(call, verb.get(), call.arguments().subList(words, call.arguments().size()));
    }

    private String usage(Verb verb) {
        return (program + " " + verb.name() + " " + String.join(" ", verb.args().stream().map(a -> "<" + a
                + ">").toList()))
                .replaceAll(" +", " ") + " [OPTIONS]";
    }

    private int run(Call call, Verb verb, List<String> words) throws IOException {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        List<String> operands = new ArrayList<>();
        read(words, parameters, operands);
        if (operands.size() != verb.args().size()) {
            call.err().println("400 " + (operands.size() < verb.args().size() ? "not enough" : "too many")
                    + " arguments\n" + usage(verb));
            return FAILED;
        }
        String path = verb.path().replace("{node}", call.machine().name());
        for (int i = 0; i < operands.size(); i++) {
            String place = "{" + verb.args().get(i) + "}";
            if (path.contains(place)) {
                path = path.replace(place, operands.get(i));
            } else {
                parameters.put(verb.args().get(i), List.of(operands.get(i)));
            }
        }
        if (verb.name().equals("config") && program.equals("qm")) {
            // The program shows the saved values with what is pending, as the method does without "current".
            parameters.computeIfPresent("current", (k, v) -> List.of("1"));
        }
        try {
            HostApi api = call.machine().hostApi().orElseThrow();
            if (verb.shows().equals("change")) {
                call.out().println("update VM " + operands.getFirst() + ":" + written(parameters));
            }
            JsonNode data = api.call(call.machine().name(), verb.method(), path, parameters);
            return verb.shows().equals("task") ? await(call, api, data) : shown(call, verb, data);
        } catch (HostApi.Refused e) {
            return refuse(call, verb, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** {@code --name value}, {@code -name value}, {@code --name=value}; an option that nothing follows is true. */
    static void read(List<String> words, Map<String, List<String>> parameters, List<String> operands) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (!word.matches("--?[A-Za-z].*")) {
                operands.add(word);
                continue;
            }
            String name = word.replaceFirst("^--?", "");
            int equals = name.indexOf('=');
            boolean valued = i + 1 < words.size() && !words.get(i + 1).matches("--?[A-Za-z].*");
            String value = equals >= 0 ? name.substring(equals + 1) : valued ? words.get(++i) : "1";
            String key = equals >= 0 ? name.substring(0, equals) : name;
            List<String> values = new ArrayList<>(parameters.getOrDefault(key, List.of()));
            values.add(value);
            parameters.put(key, values);
        }
    }

    private static String written(Map<String, List<String>> parameters) {
        StringBuilder out = new StringBuilder();
        parameters.forEach((name, values) -> values.forEach(v -> out.append(" -").append(name).append(' ').append(v)));
        return out.toString();
    }

    private int refuse(Call call, Verb verb, HostApi.Refused e) {
        if (e.status() == 400) {
            call.err().println("400 " + e.getMessage());
            e.errors().forEach((name, text) -> call.err().println(name + ": " + text));
            call.err().println("\n" + usage(verb));
            return FAILED;
        }
        call.err().println(e.getMessage());
        return e.getMessage().endsWith("does not exist") ? NO_FILE : FAILED;
    }

    /** Programs wait for what they began, and print its log. */
    static int await(Call call, HostApi api, JsonNode upid) throws IOException, HostApi.Refused, InterruptedException {
        if (!upid.isTextual() || !upid.asText().startsWith("UPID:")) {
            return Call.OK;
        }
        String node = call.machine().name();
        String task = "/nodes/" + node + "/tasks/" + upid.asText();
        JsonNode status = api.call(node, "GET", task + "/status", Map.of());
        while (!status.path("status").asText().equals("stopped")) {
            Waits.pass(call.machine().world(), LOOKS_AGAIN);
            status = api.call(node, "GET", task + "/status", Map.of());
        }
        for (JsonNode line : api.call(node, "GET", task + "/log", Map.of("limit", List.of("5000")))) {
            String text = line.path("t").asText();
            if (!text.startsWith("TASK ") && !text.equals("no content")) {
                call.out().println(text);
            }
        }
        String end = status.path("exitstatus").asText();
        if (end.equals("OK") || end.startsWith("WARNINGS")) {
            return Call.OK;
        }
        call.err().println(end);
        return FAILED;
    }

    private static int shown(Call call, Verb verb, JsonNode data) {
        switch (verb.shows()) {
            case "options" -> data.properties().stream().filter(p -> !p.getKey().equals("digest"))
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(p -> option(call, p.getKey(), p.getValue()));
            case "pending" -> data.forEach(entry -> pending(call, entry));
            case "status" -> call.out().println("status: " + data.path("status").asText());
            case "vms" -> PveTables.vms(call.out(), data);
            case "snapshots" -> PveTables.snapshots(call.out(), data);
            case "storages" -> PveTables.storages(call.out(), data);
            case "ha" -> data.forEach(entry -> call.out().println(entry.path("type").asText() + " "
                    + entry.path("status").asText()));
            case "table", "data" -> PveTables.boxed(call.out(), data);
            default -> { }
        }
        return Call.OK;
    }

    /** Raw lines of a container are pairs under one key; each is a line of its own. */
    private static void option(Call call, String key, JsonNode value) {
        if (value.isArray()) {
            value.forEach(pair -> call.out().println(pair.path(0).asText() + ": " + pair.path(1).asText()));
        } else {
            call.out().println(key + ": " + value.asText());
        }
    }

    private static void pending(Call call, JsonNode entry) {
        String key = entry.path("key").asText();
        if (entry.path("delete").asInt(0) > 0) {
            call.out().println("del " + key + ": " + entry.path("value").asText());
            return;
        }
        if (entry.has("value")) {
            call.out().println("cur " + key + ": " + entry.path("value").asText());
        }
        if (entry.has("pending")) {
            call.out().println("new " + key + ": " + entry.path("pending").asText());
        }
    }
}
