package dev.pitwall.journey.guest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.HostNodes;
import dev.pitwall.journey.survey.HostSurvey.Guest;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which VM is taken where nobody has chosen one. Its host has exactly one that is a node of the site's cluster and was
 * marked for cards when it joined: a taint that keeps others away from cards, or a label that says so. Where none is marked,
 * it is the only worker among them. A VM that has another device is taken only if it is the only one that is marked; one
 * that Proxmox has locked or HA keeps off is never taken, nor is a control plane.
 */
final class PresetVm {
    private final Situation situation;
    private final GuestSettings settings = new GuestSettings();

    PresetVm(Situation situation) {
        this.situation = situation;
    }

    /** A VM that is a node of the cluster. */
    record Candidate(Guest vm, JsonNode object) {
    }

    /** Why those that come into question do. */
    enum Ground { MARKED, WORKER }

    /** What there is to take. */
    sealed interface Pick {

        record Taken(Candidate candidate, Ground ground) implements Pick {
        }

        /** Only a person can tell. */
        record Several(List<Candidate> candidates, Ground ground) implements Pick {
        }

        record Nobody() implements Pick {
        }
    }

    Pick pick() {
        return marked().or(() -> of(nodes().filter(c -> c.vm().running()).filter(this::onlyComputes).toList(), Ground.WORKER))
                .orElseGet(Pick.Nobody::new);
    }

    /** Only where nodes are marked for cards. */
    Optional<Pick> marked() {
        List<Candidate> marked = nodes().filter(c -> !marks(c).isEmpty()).toList();
        return of(marked.stream().filter(this::onlyComputes).toList(), Ground.MARKED).or(() -> of(marked, Ground.MARKED));
    }

    private static Optional<Pick> of(List<Candidate> candidates, Ground ground) {
        return switch (candidates.size()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(new Pick.Taken(candidates.getFirst(), ground));
            default -> Optional.of(new Pick.Several(candidates, ground));
        };
    }

    private Stream<Candidate> nodes() {
        return situation.hostNodes().stream().flatMap(living -> situation.host().guests().stream().filter(ChosenVm::isVm)
                .filter(PresetVm::mayRun).flatMap(vm -> candidate(living, vm).stream())).filter(c -> !controlPlane(c.object()));
    }

    private Optional<Candidate> candidate(HostNodes living, Guest vm) {
        return ChosenVm.node(situation, vm).flatMap(name -> living.node(name).map(node -> new Candidate(vm, node)));
    }

    private static boolean mayRun(Guest vm) {
        return vm.lock().isEmpty() && vm.ha().filter(PowerCycleStep.KEPT_OFF::contains).isEmpty();
    }

    private static boolean controlPlane(JsonNode node) {
        return node.at("/metadata/labels").propertyStream().map(l -> l.getKey())
                .anyMatch(List.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")::contains);
    }

    /** True if no device of the host but this card is passed to it. */
    private boolean onlyComputes(Candidate candidate) {
        CardEntries entries = new CardEntries(situation);
        return entries.all(candidate.vm().config()).size() == entries.of(candidate.vm().config()).size();
    }

    /** The taints and labels of the node that say that it is for cards, for example {@code nodepool=gpu}. */
    List<String> marks(Candidate candidate) {
        Predicate<String> says = settings.pattern("meant.label").asMatchPredicate();
        Stream<String> taints = candidate.object().at("/spec/taints").valueStream().map(t -> t.path("key").asText())
                .filter(settings.text("meant.taint")::equals);
        Stream<String> labels = candidate.object().at("/metadata/labels").propertyStream()
                .map(l -> l.getKey() + "=" + l.getValue().asText()).filter(says);
        return Stream.concat(taints, labels).toList();
    }
}
