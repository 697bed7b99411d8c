package dev.pitwall.journey.operator;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.journey.node.DriverReleases;
import dev.pitwall.journey.node.Table;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Which versions of the GPU Operator's chart go with a cluster and its cards. */
final class OperatorVersions {
    private final Set<VersionNumber> known = Table.read("gpu-operator-versions.csv").stream()
            .map(row -> VersionNumber.of(row.get("chart_version"))).collect(Collectors.toSet());
    private final List<Row> rows = rows();
    private final DriverReleases drivers = new DriverReleases();

    /** @param kubernetes the first and the last release that it is tested on */
    private record Row(String from, String talos, List<String> kubernetes) {
    }

    /** Why a version does not go with a cluster, or what speaks against it. */
    enum Objection {
        /** It needs a newer Kubernetes. */
        KUBERNETES,
        /** No driver that it goes with drives all cards. */
        CARDS,
        /** It does not know Talos's way yet. */
        TALOS,
        /** It is more than one year's version away from what is installed. */
        JUMP,
        /** It is older than what is installed. */
        OLDER
    }

    private static List<Row> rows() {
        try (InputStream in = OperatorVersions.class.getResourceAsStream("/journey/operator-versions.yaml")) {
            if (in == null) {
                throw new FileNotFoundException("operator-versions.yaml");
            }
            return new YAMLMapper().readValue(in, new TypeReference<>() { });
        } catch (IOException e) {
            throw new UncheckedIOException("journey/operator-versions.yaml cannot be read", e);
        }
    }

    /** The newest version that nothing speaks against; one that this Pitwall knows before one that it does not. */
    Optional<String> best(Collection<String> versions, ClusterNeeds needs) {
        return versions.stream().filter(v -> objection(v, needs).isEmpty()).max(Comparator
                .comparing((String v) -> known.contains(VersionNumber.of(v))).thenComparing(VersionNumber::of));
    }

    Optional<Objection> objection(String version, ClusterNeeds needs) {
        VersionNumber number = VersionNumber.of(version);
        Optional<VersionNumber> installed = needs.installed().map(VersionNumber::of);
        if (installed.isPresent() && number.before(installed.get())) {
            return Optional.of(Objection.OLDER);
        }
        if (installed.isPresent() && number.major() > installed.get().major() + 1) {
            return Optional.of(Objection.JUMP);
        }
        Row row = row(number);
        if (needs.talos().isPresent() && (row.talos() == null
                || needs.talos().get().before(VersionNumber.of(row.talos())))) {
            return Optional.of(Objection.TALOS);
        }
        if (row.kubernetes() != null
                && needs.kubernetes().minor().before(VersionNumber.of(row.kubernetes().getFirst()))) {
            return Optional.of(Objection.KUBERNETES);
        }
        return needs.driverByOperator() && drivers.forCards(needs.cards(), version, Optional.empty()).isEmpty()
                && !drivers.of(version, Optional.empty()).isEmpty() ? Optional.of(Objection.CARDS) : Optional.empty();
    }

    /** True if Kubernetes is newer than the last one that this version is tested on. */
    boolean untested(String version, ClusterNeeds needs) {
        Row row = row(VersionNumber.of(version));
        return row.kubernetes() != null
                && VersionNumber.of(row.kubernetes().getLast()).before(needs.kubernetes().minor());
    }

    boolean known(String version) {
        return known.contains(VersionNumber.of(version));
    }

    private Row row(VersionNumber version) {
        return rows.stream().filter(r -> !version.before(VersionNumber.of(r.from()))).reduce((a, b) -> b)
                .orElse(rows.getFirst());
    }
}
