package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.machine.CardFacts;
import dev.pitwall.lab.kube.machine.NodeMachine;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** GFD's labels of a node's cards. (facts: shared/cluster/gfd-labels.csv) */
final class CardLabels {
    private static final String DOMAIN = "nvidia.com/";
    private final JsonNode data;

    private CardLabels(JsonNode data) {
        this.data = data;
    }

    static CardLabels load() {
        return new CardLabels(DataFile.tree("kube/operator/cards.yaml"));
    }

    /** @param since when GFD began, which is what its time stamp says */
    Map<String, String> of(NodeMachine machine, SharingConfig sharing, String migStrategy, Instant since) {
        Map<String, String> labels = new TreeMap<>();
        labels.put(DOMAIN + "gfd.timestamp", Long.toString(since.getEpochSecond()));
        List<CardFacts> cards = machine.cards().stream().filter(card -> !card.lost()).toList();
        if (cards.isEmpty()) {
            return labels;
        }
        CardFacts card = cards.getFirst();
        String gpu = "nvidia.com/gpu";
        boolean suffix = sharing.shares(gpu) && !sharing.renamed();
        labels.put(DOMAIN + "gpu.count", Integer.toString(cards.size()));
        labels.put(DOMAIN + "gpu.product", card.product().replace(' ', '-') + (suffix ? "-SHARED" : ""));
        labels.put(DOMAIN + "gpu.memory", Long.toString(card.vramMiB()));
        labels.put(DOMAIN + "gpu.replicas", Integer.toString(sharing.replicas(gpu)));
        labels.put(DOMAIN + "gpu.sharing-strategy", sharing.shares(gpu) ? sharing.strategy() : "none");
        labels.put(DOMAIN + "gpu.machine", machineName(machine));
        labels.put(DOMAIN + "mig.capable", Boolean.toString(isMigCapable(card)));
        labels.put(DOMAIN + "mig.strategy", migStrategy);
        labels.put(DOMAIN + "mps.capable", Boolean.toString(sharing.strategy().equals("mps")));
        labels.put(DOMAIN + "vgpu.present", "false");
        if (migStrategy.equals("none")) {
            labels.remove(DOMAIN + "mig.strategy");
        }
        kind(card, labels);
        versions(machine.driver().version(), labels);
        return labels;
    }

    private static String machineName(NodeMachine machine) {
        return machine.product().replaceAll("[^A-Za-z0-9\\-_. ]", "").replaceAll("\\s+", "-");
    }

    private boolean isMigCapable(CardFacts card) {
        for (JsonNode pattern : data.path("mig")) {
            if (card.product().matches(".*(" + pattern.asText() + ").*")) {
                return true;
            }
        }
        return false;
    }

    private void kind(CardFacts card, Map<String, String> labels) {
        for (JsonNode kind : data.path("kinds")) {
            if (card.product().matches(".*(" + kind.path("products").asText() + ").*")) {
                String[] compute = kind.path("compute").asText().split("\\.");
                labels.put(DOMAIN + "gpu.family", kind.path("family").asText());
                labels.put(DOMAIN + "gpu.compute.major", compute[0]);
                labels.put(DOMAIN + "gpu.compute.minor", compute[1]);
                labels.put(DOMAIN + "gpu.mode", kind.path("mode").asText());
                return;
            }
        }
        labels.put(DOMAIN + "gpu.family", "undefined");
    }

    private void versions(String version, Map<String, String> labels) {
        String[] driver = version.split("\\.");
        String minor = driver.length > 1 ? driver[1] : "";
        String revision = driver.length > 2 ? driver[2] : "";
        labels.put(DOMAIN + "cuda.driver-version.full", version);
        labels.put(DOMAIN + "cuda.driver-version.major", driver[0]);
        labels.put(DOMAIN + "cuda.driver-version.minor", minor);
        labels.put(DOMAIN + "cuda.driver-version.revision", revision);
        labels.put(DOMAIN + "cuda.driver.major", driver[0]);
        labels.put(DOMAIN + "cuda.driver.minor", minor);
        labels.put(DOMAIN + "cuda.driver.rev", revision);
        String cuda = data.path("cudaByBranch").path(driver[0]).asText("");
        if (!cuda.isEmpty()) {
            String[] parts = cuda.split("\\.");
            labels.put(DOMAIN + "cuda.runtime-version.full", cuda);
            labels.put(DOMAIN + "cuda.runtime-version.major", parts[0]);
            labels.put(DOMAIN + "cuda.runtime-version.minor", parts[1]);
            labels.put(DOMAIN + "cuda.runtime.major", parts[0]);
            labels.put(DOMAIN + "cuda.runtime.minor", parts[1]);
        }
    }
}
