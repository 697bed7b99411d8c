package dev.pitwall.doctor.picture.words;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A pod in the words of {@code kubectl get pods} and {@code kubectl describe pod}. */
final class PodWords {
    private final SpecWords spec = new SpecWords();

    Spoken of(JsonNode pod) {
        String name = Fields.name(pod);
        JsonNode status = pod.path("status");
        List<String> lines = new ArrayList<>();
        if (!status.isMissingNode() && !status.isEmpty()) {
            lines.add(row(pod, name));
            if (status.hasNonNull("reason") || status.hasNonNull("message")) {
                lines.add(name + " Reason: " + status.path("reason").asText("") + " Message: "
                        + status.path("message").asText(""));
            }
            all(status, "initContainerStatuses", "containerStatuses").forEach(c -> container(name, c, lines));
            Fields.list(status.path("conditions")).stream().filter(c -> c.path("status").asText().equals("False"))
                    .filter(c -> c.path("type").asText().equals("PodScheduled"))
                    .forEach(c -> lines.add(name + " FailedScheduling " + c.path("message").asText("")));
        }
        pod.path("metadata").path("annotations").properties().stream().filter(a -> a.getKey().contains("apparmor"))
                .forEach(a -> lines.add(a.getKey() + "=" + a.getValue().asText()));
        lines.addAll(spec.of(pod.path("spec")));
        return new Spoken(name, node(pod), Fields.namespaced(pod), lines);
    }

    /** Where it runs, or is meant to: a DaemonSet's pod names its node in an affinity until it is bound. */
    static String node(JsonNode pod) {
        JsonNode spec = pod.path("spec");
        if (spec.hasNonNull("nodeName")) {
            return spec.path("nodeName").asText();
        }
        return Fields.list(spec.path("affinity").path("nodeAffinity")
                        .path("requiredDuringSchedulingIgnoredDuringExecution").path("nodeSelectorTerms")).stream()
                .flatMap(term -> Fields.list(term.path("matchFields")).stream())
                .filter(field -> field.path("key").asText().equals("metadata.name"))
                .map(field -> field.path("values").path(0).asText("")).findFirst().orElse("");
    }

    private static Stream<JsonNode> all(JsonNode status, String... fields) {
        return Stream.of(fields).flatMap(field -> Fields.list(status.path(field)).stream());
    }

    /** The row of {@code kubectl get pods}; its STATUS is computed as kubectl does (kubernetes: printers.go, printPod). */
    private static String row(JsonNode pod, String name) {
        JsonNode status = pod.path("status");
        List<JsonNode> containers = Fields.list(status.path("containerStatuses"));
        long ready = containers.stream().filter(c -> c.path("ready").asBoolean()).count();
        int count = Math.max(containers.size(), pod.path("spec").path("containers").size());
        int restarts = all(status, "initContainerStatuses", "containerStatuses")
                .mapToInt(c -> c.path("restartCount").asInt()).sum();
        return name + "   " + ready + "/" + count + "   " + printed(pod) + "   " + restarts;
    }

    private static String printed(JsonNode pod) {
        if (pod.path("metadata").hasNonNull("deletionTimestamp")) {
            return "Terminating";
        }
        JsonNode status = pod.path("status");
        String reason = status.path("reason").asText(status.path("phase").asText("Unknown"));
        List<JsonNode> init = Fields.list(status.path("initContainerStatuses"));
        for (int i = 0; i < init.size(); i++) {
            JsonNode state = init.get(i).path("state");
            boolean over = state.has("terminated") && state.path("terminated").path("exitCode").asInt() == 0
                    || init.get(i).path("started").asBoolean() && state.has("running");
            if (!over) {
                String why = state.has("terminated") ? state.path("terminated").path("reason").asText("Error")
                        : state.path("waiting").path("reason").asText("");
                return why.isEmpty() || why.equals("PodInitializing") ? "Init:" + i + "/" + init.size() : "Init:" + why;
            }
        }
        for (JsonNode container : Fields.list(status.path("containerStatuses"))) {
            JsonNode state = container.path("state");
            String waiting = state.path("waiting").path("reason").asText("");
            String ended = state.path("terminated").path("reason").asText("");
            reason = !waiting.isEmpty() ? waiting : !ended.isEmpty() ? ended : reason;
        }
        return reason;
    }

    private static void container(String pod, JsonNode status, List<String> lines) {
        String head = pod + " container " + status.path("name").asText() + ": ";
        state(head + "State: ", status.path("state"), lines);
        state(head + "Last State: ", status.path("lastState"), lines);
    }

    private static void state(String head, JsonNode state, List<String> lines) {
        JsonNode waiting = state.path("waiting");
        JsonNode ended = state.path("terminated");
        if (waiting.hasNonNull("reason")) {
            String[] said = waiting.path("message").asText("").split("\n", -1);
            lines.add(head + "Waiting Reason: " + waiting.path("reason").asText() + " " + said[0]);
            Stream.of(said).skip(1).forEach(lines::add);
        }
        if (ended.isObject() && ended.path("exitCode").asInt() != 0) {
            String[] said = ended.path("message").asText("").split("\n", -1);
            lines.add(head + "Terminated Reason: " + ended.path("reason").asText("Error") + " Exit Code: "
                    + ended.path("exitCode").asInt() + " " + said[0]);
            Stream.of(said).skip(1).forEach(lines::add);
        }
    }
}
