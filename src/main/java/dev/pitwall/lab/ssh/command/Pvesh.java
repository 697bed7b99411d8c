package dev.pitwall.lab.ssh.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.world.HostApi;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code pvesh get|create|set|delete PATH [--option value]… [--output-format text|json|json-pretty]}. */
final class Pvesh implements Command {
    private static final int FAILED = 255;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> METHODS =
            Map.of("get", "GET", "create", "POST", "set", "PUT", "delete", "DELETE");

    @Override
    public int run(Call call) throws IOException {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        List<String> operands = new ArrayList<>();
        PveProgram.read(call.arguments(), parameters, operands);
        String verb = operands.isEmpty() ? "" : operands.getFirst();
        if (!METHODS.containsKey(verb)) {
            call.err().println(verb.isEmpty() ? "ERROR: no command specified" : "ERROR: unknown command 'pvesh "
                    + verb + "'");
            call.err().println("USAGE: pvesh <COMMAND> [ARGS] [OPTIONS]");
            return FAILED;
        }
        if (operands.size() != 2) {
            call.err().println("400 " + (operands.size() < 2 ? "not enough" : "too many") + " arguments\npvesh " + verb
                    + " <api_path> [OPTIONS] [FORMAT_OPTIONS]");
            return FAILED;
        }
        String format = parameters.getOrDefault("output-format", List.of("text")).getFirst();
        List.of("output-format", "noborder", "noheader", "quiet", "human-readable",
                "noproxy").forEach(parameters::remove);
        String path = "/" + operands.get(1).replaceFirst("^/+", "").replace("/localhost", "/" + call.machine().name());
        try {
            HostApi api = call.machine().hostApi().orElseThrow();
            JsonNode data = api.call(call.machine().name(), METHODS.get(verb), path, parameters);
            if (data.isTextual() && data.asText().startsWith("UPID:")) {
                int status = PveProgram.await(call, api, data);
                print(call, format, data);
                return status;
            }
            print(call, format, data);
            return Call.OK;
        } catch (HostApi.Refused e) {
            if (e.status() == 501) {
                call.err().println("No '" + verb + "' handler defined for '" + path + "'");
            } else if (e.status() == 400) {
                call.err().println("400 " + e.getMessage());
                e.errors().forEach((name, text) -> call.err().println(name + ": " + text));
            } else {
                call.err().println(e.getMessage());
            }
            return e.getMessage().endsWith("does not exist") ? 2 : FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void print(Call call, String format, JsonNode data) throws JsonProcessingException {
        switch (format) {
            case "json" -> call.out().println(JSON.writeValueAsString(data));
            case "json-pretty" -> call.out().println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(data));
            default -> PveTables.boxed(call.out(), data);
        }
    }
}
