package dev.pitwall.doctor.picture.words;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a pod's specification says of cards: its RuntimeClass, what it asks for, and variables that steer the GPU stack. */
final class SpecWords {
    private static final Pattern STEERS = Pattern.compile(
            "^(?:NVIDIA_|CUDA_|DP_|DCGM_|CONTAINERD_|RUNTIME|CRIO_|DOCKER_|CDI_|DEVICE_|MIG_|MPS_|GFD_|OLLAMA_|WITH_W|ACCEPT_|CONFIG_FILE|DEFAULT_CONFIG|PASS_).*");
    private static final int MOST = 400;

    /** @param spec of a pod or a pod template */
    List<String> of(JsonNode spec) {
        List<String> lines = new ArrayList<>();
        if (spec.hasNonNull("runtimeClassName")) {
            lines.add("runtimeClassName: " + spec.path("runtimeClassName").asText());
        }
        Stream.of("initContainers", "containers").flatMap(field -> Fields.list(spec.path(field)).stream())
                .forEach(container -> container(container, lines));
        return lines;
    }

    private void container(JsonNode container, List<String> lines) {
        lines.addAll(variables(container.path("env")));
        JsonNode profile = container.path("securityContext").path("appArmorProfile");
        if (profile.path("type").asText().equals("Localhost")) {
            lines.add("appArmorProfile: localhost/" + profile.path("localhostProfile").asText());
        }
        JsonNode resources = container.path("resources");
        JsonNode limits = resources.path("limits");
        Stream.of("requests", "limits").flatMap(field -> resources.path(field).properties().stream())
                .filter(r -> r.getKey().startsWith("nvidia.com/")).map(r -> r.getKey() + ": " + r.getValue().asText())
                .distinct().forEach(lines::add);
        if (limits.hasNonNull("memory") && container.path("image").asText().contains("dcgm")) {
            lines.add("resources.limits.memory=" + limits.path("memory").asText());
        }
        lines.addAll(arguments(container.path("command")));
        lines.addAll(arguments(container.path("args")));
    }

    /** A shell script is left out: what it would print is not what was printed. */
    private static List<String> arguments(JsonNode words) {
        StringBuilder line = new StringBuilder();
        Fields.list(words).forEach(word -> line.append(word.asText()).append(' '));
        return line.isEmpty() || line.length() > MOST || line.indexOf("echo ") >= 0 ? List.of() : List.of(line.toString().strip());
    }

    /** @param env list of name and value */
    static List<String> variables(JsonNode env) {
        return Fields.list(env).stream().filter(e -> STEERS.matcher(e.path("name").asText()).matches())
                .filter(e -> e.hasNonNull("value")).map(e -> e.path("name").asText() + "=" + e.path("value").asText())
                .filter(line -> line.length() <= MOST).toList();
    }
}
