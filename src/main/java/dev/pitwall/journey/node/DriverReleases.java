package dev.pitwall.journey.node;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The releases of NVIDIA's driver that are maintained, and those that a chart of the GPU Operator brings. */
public final class DriverReleases {
    private final Map<String, String> defaults;
    private final Data data;

    private record Data(List<String> live, Map<String, List<String>> charts) {
    }

    /**
     * A driver for the operator to install.
     *
     * @param version as {@code driver.version} takes it
     * @param type    as {@code driver.kernelModuleType} takes it
     * @param pinned  false if that is the chart's own default
     */
    public record Chosen(String version, ModuleType type, boolean pinned) {
    }

    public DriverReleases() {
        this.defaults = Table.read("gpu-operator-versions.csv").stream()
                .collect(Collectors.toMap(r -> r.get("chart_version"), r -> r.get("default_driver")));
        this.data = NodeData.read("driver-releases.yaml", Data.class);
    }

    /** Branches that are still maintained, newest first. */
    public IntStream liveBranches() {
        return data.live().stream().flatMapToInt(v -> DriverFit.branch(v).stream());
    }

    /** The newest release of a branch that is maintained. */
    public Optional<String> newest(int branch) {
        return data.live().stream().filter(v -> DriverFit.branch(v).equals(OptionalInt.of(branch))).findFirst();
    }

    /**
     * The releases that a chart is known to go with, its default first.
     *
     * @param chart       its version, for example {@code v26.7.0}
     * @param itsDefault  {@code driver.version} of its own values, where the chart was read; it holds over the tables
     */
    public List<String> of(String chart, Optional<String> itsDefault) {
        String version = chart.startsWith("v") ? chart : "v" + chart;
        return Stream.concat(itsDefault.or(() -> Optional.ofNullable(defaults.get(version))).stream(),
                data.charts().getOrDefault(version, List.of()).stream()).distinct().toList();
    }

    /**
     * The driver that a chart should bring for these cards: its default if that drives them, else the newest that does.
     *
     * @return empty if none of those that the chart goes with drives all of them
     */
    public Optional<Chosen> forCards(DriverFit cards, String chart, Optional<String> itsDefault) {
        List<String> releases = of(chart, itsDefault);
        return releases.stream().filter(v -> cards.takes(DriverFit.branch(v).orElse(0))).findFirst()
                .map(v -> new Chosen(v, cards.type(DriverFit.branch(v).orElse(0)).orElseThrow(),
                        !v.equals(releases.getFirst())));
    }
}
