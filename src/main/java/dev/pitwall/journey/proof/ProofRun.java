package dev.pitwall.journey.proof;

import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.PodRun;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a run did to prove its card.
 *
 * @param run  that it was a part of, or all of
 * @param pods in the order in which they were run; at least one
 */
public record ProofRun(RunRecord run, List<ProofPod> pods) {

    public ProofRun {
        pods = List.copyOf(pods);
    }

    /** Empty for a run that proves nothing. */
    public static Optional<ProofRun> of(RunRecord run) {
        List<ProofPod> pods = run.undoes().isPresent() ? List.of() : run.changes().stream()
                .filter(c -> c.step().equals(ProofStep.ID)).flatMap(ProofRun::pod).toList();
        return pods.isEmpty() ? Optional.empty() : Optional.of(new ProofRun(run, pods));
    }

    private static Stream<ProofPod> pod(ChangeRecord change) {
        return change.change() instanceof PodRun run ? Stream.of(new ProofPod(run, change)) : Stream.empty();
    }

    /** The newest of a card in which something was really tried. */
    public static Optional<ProofRun> last(List<RunRecord> newestFirst, String cardId) {
        return newestFirst.stream().filter(run -> run.card().filter(c -> c.id().equals(cardId)).isPresent())
                .flatMap(run -> of(run).stream()).filter(p -> p.passed() || p.failed()).findFirst();
    }

    public boolean passed() {
        return computed().filter(ProofPod::passed).isPresent() && !failed();
    }

    public boolean failed() {
        return pods.stream().anyMatch(ProofPod::failed);
    }

    /** The pod that computes. */
    public Optional<ProofPod> computed() {
        return pods.stream().filter(ProofPod::computes).findFirst();
    }

    /** The pod that lists the cards that it was given. */
    public Optional<ProofPod> listed() {
        return pods.stream().filter(pod -> !pod.computes()).findFirst();
    }

    /** The pod that says how it ended: the one that failed, else the one that computed, else the first. */
    public ProofPod deciding() {
        return pods.stream().filter(ProofPod::failed).findFirst().or(this::computed).orElseGet(pods::getFirst);
    }
}
