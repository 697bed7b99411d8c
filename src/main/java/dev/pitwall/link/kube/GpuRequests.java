package dev.pitwall.link.kube;

import java.util.HashMap;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * How many devices a pod holds once bound, counted as the scheduler counts (facts: cluster 7.1, from component-helpers
 * {@code resource/helpers.go}): the larger of what its init containers need one after another and what its containers
 * need together, where a restartable init container stays and so counts on both sides.
 */
final class GpuRequests {
    private final Map<String, Long> running = new HashMap<>();
    private final Map<String, Long> starting = new HashMap<>();
    private final Map<String, Long> staying = new HashMap<>();

    private GpuRequests() {
    }

    static Map<String, Long> of(JsonNode podSpec) {
        GpuRequests count = new GpuRequests();
        podSpec.path("initContainers").forEach(count::init);
        podSpec.path("containers").forEach(container -> add(count.running, request(container)));
        add(count.running, count.staying);
        count.starting.forEach((name, number) -> count.running.merge(name, number, Math::max));
        count.running.values().removeIf(number -> number == 0);
        return count.running;
    }

    private void init(JsonNode container) {
        Map<String, Long> request = request(container);
        if (container.path("restartPolicy").asText().equals("Always")) {
            add(staying, request);
            staying.forEach((name, number) -> starting.merge(name, number, Math::max));
            return;
        }
        Map<String, Long> moment = new HashMap<>(staying);
        add(moment, request);
        moment.forEach((name, number) -> starting.merge(name, number, Math::max));
    }

    /** Requests, and for what is not requested the limit: the API server copies it for extended resources. */
    private static Map<String, Long> request(JsonNode container) {
        Map<String, Long> request = Fields.gpus(container.path("resources").path("limits"));
        request.putAll(Fields.gpus(container.path("resources").path("requests")));
        return request;
    }

    private static void add(Map<String, Long> to, Map<String, Long> what) {
        what.forEach((name, number) -> to.merge(name, number, Long::sum));
    }
}
