package dev.pitwall.lab.prometheus;

import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.World;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the cluster calls the pods that telemetry names: who holds a card, and the exporter of a node. */
public interface ClusterNames {

    /** A container that holds a card. */
    record Holder(String container, String namespace, String pod) {
    }

    /** @param card card id, {@code host/0000:01:00} */
    Optional<Holder> holder(String card);

    /** The exporter's pod on a node runs and is ready. Not to be called inside the world's lock. */
    boolean exporterRuns(String node);

    /** Name of the exporter's pod on a node. */
    String exporterPod(String node);

    /** That pod's address in the cluster. */
    String exporterAddress(String node);

    /** Names made up from the world alone, for a lab without a cluster: every model server holds its card. */
    static ClusterNames of(World world) {
        return new ClusterNames() {
            @Override
            public Optional<Holder> holder(String card) {
                return world.read(w -> w.servers.values().stream().filter(s -> s.up && s.card.equals(card)).findFirst())
                        .map((LabModelServer s) -> new Holder(s.kind.word(), s.namespace, s.name + "-" + suffix(s.name, 10)
                                + "-" + suffix(s.node, 5)));
            }

            @Override
            public boolean exporterRuns(String node) {
                return true;
            }

            @Override
            public String exporterPod(String node) {
                return "nvidia-dcgm-exporter-" + suffix(node, 5);
            }

            @Override
            public String exporterAddress(String node) {
                List<String> names = world.read(w -> List.copyOf(w.nodes.keySet()));
                return "10.42." + names.indexOf(node) + ".17";
            }
        };
    }

    private static String suffix(String seed, int length) {
        String letters = "bcdfghjklmnpqrstvwxz2456789";
        long state = seed.hashCode() * 2654435761L;
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < length; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            out.append(letters.charAt((int) Math.floorMod(state >>> 33, (long) letters.length())));
        }
        return out.toString().toLowerCase(Locale.ROOT);
    }
}
