package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.kubelet.ContainerCell.State;
import dev.pitwall.lab.kube.kubelet.PodWork.Step;
import dev.pitwall.lab.kube.object.Containers;
import dev.pitwall.lab.kube.object.Named;
import dev.pitwall.lab.kube.store.Json;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Takes over pods that were there before their kubelet knew of them: what they are is read from their status. */
final class Adoption {
    private Adoption() {
    }

    static PodWork work(PodRecord record, Programs programs) {
        JsonNode pod = record.facts().object().tree();
        PodWork work = PodWork.of(pod);
        if (record.facts().isDone()) {
            states(record, work, pod, programs);
            work.step = Step.ENDED;
        } else if (record.facts().phase().equals("Running")) {
            states(record, work, pod, programs);
            work.step = Step.CONTAINERS;
            work.pastInit = work.main.stream().anyMatch(ContainerCell::ran);
            work.address = pod.at("/status/podIP").asText("");
            work.begun = time(pod.at("/status/startTime"));
        }
        return work;
    }

    private static void states(PodRecord record, PodWork work, JsonNode pod, Programs programs) {
        work.cells().forEach(cell -> {
            JsonNode status = status(pod, cell.name);
            cell.restarts = status.path("restartCount").asInt();
            cell.last = end(status.at("/lastState/terminated"), status);
            Optional<End> ended = end(status.at("/state/terminated"), status);
            Optional<Instant> since = time(status.at("/state/running/startedAt"));
            if (ended.isPresent()) {
                cell.state = new State.Over(ended.get());
                cell.retryAt = Instant.MAX;
            } else if (since.isPresent()) {
                run(record, cell, pod, programs, since.get());
                cell.started = true;
                cell.ready = status.path("ready").asBoolean();
            }
        });
    }

    private static void run(PodRecord record, ContainerCell cell, JsonNode pod, Programs programs, Instant since) {
        JsonNode container = Containers.find(pod.path("spec"), cell.name).orElseGet(Json::object);
        Program program = programs.find(cell.image, pod, container).orElse(Idle.PROGRAM);
        ContainerRun run = new ContainerRun(record, cell, program, pod.at("/status/podIP").asText(""), since,
                record.kubelet().book().of(record.uid(), cell.name), Map.of());
        cell.latest = Optional.of(run);
        cell.state = new State.Running(run);
    }

    private static Optional<End> end(JsonNode terminated, JsonNode status) {
        return time(terminated.path("finishedAt")).map(to -> new End(time(terminated.path("startedAt")).orElse(to), to,
                terminated.path("exitCode").asInt(), terminated.path("reason").asText(""),
                terminated.path("message").asText(""), status.path("containerID").asText("")));
    }

    private static JsonNode status(JsonNode pod, String container) {
        JsonNode found = Named.find(pod.at("/status/containerStatuses"), container);
        return found.isMissingNode() ? Named.find(pod.at("/status/initContainerStatuses"), container) : found;
    }

    private static Optional<Instant> time(JsonNode text) {
        return text.isTextual() ? Optional.of(Instant.parse(text.asText())) : Optional.empty();
    }
}
