package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.change.PodRun;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * A pod of a proof as the journal has it: what it was, and what came of it.
 *
 * @param record of that change in its run
 */
public record ProofPod(PodRun run, ChangeRecord record) {

    /** True for the pod that computes on the card; the other one lists the cards that it was given. */
    public boolean computes() {
        return label(ProofPods.PROOF).equals(ProofPods.Kind.CUDA.word());
    }

    public boolean passed() {
        return record.state() == ChangeRecord.State.DONE || record.state() == ChangeRecord.State.UNDONE;
    }

    public boolean failed() {
        return record.state() == ChangeRecord.State.FAILED;
    }

    /** When it came to its end. */
    public Optional<Instant> at() {
        return record.ended();
    }

    /** From the moment it was asked for until it was gone again. */
    public Optional<Duration> took() {
        return record.started().flatMap(from -> record.ended().map(to -> Duration.between(from, to)));
    }

    /** One line that says it all. */
    public String said() {
        return record.message().flatMap(m -> m.lines().findFirst()).orElse("");
    }

    /** What it printed; empty if its log was not kept. */
    public List<String> log() {
        return record.message().map(m -> m.lines().skip(1).toList()).orElse(List.of());
    }

    public String image() {
        return container().path("image").asText();
    }

    /** Name of the resource that it asked for, for example {@code nvidia.com/gpu}. */
    public String resource() {
        return container().at("/resources/limits").propertyStream().map(e -> e.getKey())
                .filter(name -> name.contains("/")).findFirst().orElse(CardNode.CARD);
    }

    /** How many cards it asked for. */
    public int cards() {
        return StreamSupport.stream(run.manifest().at("/spec/containers").spliterator(), false)
                .mapToInt(c -> c.at("/resources/limits").path(resource()).asInt()).sum();
    }

    /** Empty where the cluster gives cards without one. */
    public Optional<String> runtimeClass() {
        return Optional.of(run.manifest().at("/spec/runtimeClassName").asText("")).filter(name -> !name.isEmpty());
    }

    /** The host name by which it was pinned to its node. */
    public String hostname() {
        return run.manifest().at("/spec/nodeSelector").path("kubernetes.io/hostname").asText();
    }

    /** Keys of the taints that it tolerated. */
    public List<String> tolerated() {
        return StreamSupport.stream(run.manifest().at("/spec/tolerations").spliterator(), false)
                .map(t -> t.path("key").asText() + ":" + t.path("effect").asText()).distinct()
                .collect(Collectors.toList());
    }

    /** The user that its containers ran as. */
    public int user() {
        return run.manifest().at("/spec/securityContext/runAsUser").asInt();
    }

    /** Boot id of the node then; empty text where it was not known. */
    public String boot() {
        return run.manifest().at("/metadata/annotations").path(ProofPods.BOOT).asText("");
    }

    /** Version of the node's driver then; empty text where it was not known. */
    public String driver() {
        return run.manifest().at("/metadata/annotations").path(ProofPods.DRIVER).asText("");
    }

    private String label(String name) {
        return run.manifest().at("/metadata/labels").path(name).asText();
    }

    private JsonNode container() {
        return run.manifest().at("/spec/containers/0");
    }
}
