package dev.pitwall.lab.prometheus;

import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.Power;
import dev.pitwall.lab.world.World;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The DCGM exporter of one node. It collects every 30 s of lab time and repeats itself in between, as the real one
 * does ({@code DCGM_EXPORTER_INTERVAL}). The node's label is {@code Hostname} in every release up to 4.5.3, and
 * {@code hostname} from the exporter of operator 26.7 on (facts: cluster.md 3).
 */
final class DcgmExporter {
    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final World world;
    private final String node;
    private final DcgmCounters counters;
    private final ClusterNames names;
    private final String hostLabel;
    private volatile boolean podRuns = true;
    private Instant collectedAt = Instant.MIN;
    private String text = "";

    DcgmExporter(World world, String node, DcgmCounters counters, ClusterNames names) {
        this.world = world;
        this.node = node;
        this.counters = counters;
        this.names = names;
        this.hostLabel = world.read(w -> renames(w.kubernetes.operatorChart())) ? "hostname" : "Hostname";
        lookAtPod();
    }

    private static boolean renames(String chart) {
        int[] parts = Arrays.stream(chart.replaceFirst("^v", "").split("[^0-9]+")).filter(part -> !part.isEmpty())
                .mapToInt(Integer::parseInt).toArray();
        return Arrays.compare(parts, new int[] {26, 7}) >= 0;
    }

    /** Asks the cluster whether the pod runs. Not to be called inside the world's lock. */
    void lookAtPod() {
        podRuns = names.exporterRuns(node);
    }

    /** The pod runs, its machine is on and the driver answers. */
    boolean running(World w) {
        LabNode n = w.nodes.get(node);
        return n != null && podRuns && Power.isOn(w, node) && n.driver.equals("loaded");
    }

    /** The body of {@code /metrics}. */
    synchronized String metrics() {
        Instant now = world.clock().instant();
        if (collectedAt.equals(Instant.MIN) || !now.isBefore(collectedAt.plus(INTERVAL))) {
            collectedAt = now;
            text = collect();
        }
        return text;
    }

    private String collect() {
        List<CardSample> cards = samples();
        String driver = world.read(w -> w.nodes.get(node).driverVersion);
        StringBuilder out = new StringBuilder();
        for (DcgmCounters.Counter counter : counters.all()) {
            StringBuilder series = new StringBuilder();
            for (CardSample card : cards) {
                card.value(counter.name()).ifPresent(value -> series.append(counter.name()).append('{')
                        .append(labels(card, driver)).append("} ").append(number(counter.name(), value)).append('\n'));
            }
            if (!series.isEmpty()) {
                out.append("# HELP ").append(counter.name()).append(' ').append(counter.help()).append("\n# TYPE ")
                        .append(counter.name()).append(' ').append(counter.type()).append('\n').append(series);
            }
        }
        return out.toString();
    }

    List<CardSample> samples() {
        return world.read(w -> {
            List<LabCard> cards = w.nodes.get(node).cards.stream().map(w.cards::get).filter(Objects::nonNull).toList();
            List<CardSample> samples = new ArrayList<>();
            for (int i = 0; i < cards.size(); i++) {
                samples.add(CardSample.of(cards.get(i), i));
            }
            return samples;
        });
    }

    private String labels(CardSample card, String driver) {
        return labelMap(card, driver).entrySet().stream()
                .map(e -> e.getKey() + "=\"" + e.getValue().replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(","));
    }

    /** Pod labels are only there while a pod holds the card. */
    private Map<String, String> labelMap(CardSample card, String driver) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("gpu", Integer.toString(card.index()));
        labels.put("UUID", card.uuid());
        labels.put("pci_bus_id", card.busId());
        labels.put("device", "nvidia" + card.index());
        labels.put("modelName", card.product());
        labels.put(hostLabel, node);
        labels.put("DCGM_FI_DRIVER_VERSION", driver);
        names.holder(card.id()).ifPresent(holder -> {
            labels.put("container", holder.container());
            labels.put("namespace", holder.namespace());
            labels.put("pod", holder.pod());
        });
        return labels;
    }

    /** Watts have six decimals, everything else none. */
    private static String number(String field, double value) {
        return field.equals("DCGM_FI_DEV_POWER_USAGE") ? new BigDecimal(value).setScale(6, RoundingMode.HALF_UP)
                .toPlainString() : Long.toString((long) value);
    }
}
