package dev.pitwall.card;

import dev.pitwall.card.ClusterReport.Part;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where the cluster may only be read in part, "there is none" may mean "may not be seen". A floor that something seen
 * proves is kept; one that is not fine, or does not exist, because of what was not seen is unknown, and says what could
 * not be read.
 */
final class UnseenParts {
    private final FloorTexts texts;

    UnseenParts(FloorTexts texts) {
        this.texts = texts;
    }

    Finding weighed(Floor floor, Finding finding, Optional<Observed<ClusterReport>> cluster) {
        Set<Part> unseen = cluster.flatMap(Observed::value).map(ClusterReport::unseen).orElse(Set.of());
        boolean ofCluster = finding.basis().isEmpty() || finding.basis().equals(cluster);
        if (unseen.isEmpty() || !ofCluster || isProved(finding)) {
            return finding;
        }
        Set<Part> missing = EnumSet.copyOf(needs(floor));
        missing.retainAll(unseen);
        return missing.isEmpty() ? finding : Finding.own(FloorState.UNKNOWN, texts.say("unknown.part", missing.stream()
                .map(p -> texts.say("part." + p.name())).collect(Collectors.joining(", "))))
                .with(finding.readings()).on(cluster.orElseThrow());
    }

    private static boolean isProved(Finding finding) {
        return finding.verdict() instanceof Finding.Own own && own.state() == FloorState.OK;
    }

    private static Set<Part> needs(Floor floor) {
        return switch (floor) {
            case FIRMWARE, VFIO, VM -> EnumSet.noneOf(Part.class);
            case DRIVER -> EnumSet.of(Part.NODES, Part.PODS, Part.POLICIES);
            case RUNTIME, PROOF -> EnumSet.of(Part.NODES, Part.PODS);
            case DISCOVERY, PLUGIN, TELEMETRY -> EnumSet.of(Part.NODES, Part.PODS, Part.DAEMON_SETS);
            case SERVER -> EnumSet.of(Part.NODES, Part.PODS, Part.SERVICES);
        };
    }
}
