package dev.pitwall.journey.operator;

import dev.pitwall.card.NodeReport.Taint;
import dev.pitwall.journey.change.ObjectType;
import java.util.List;

/** Composes the values of the standalone device plugin's chart, each with its reason (facts: cluster.md 1.8, 2). */
final class PluginValues {
    static final String NAMESPACE = "nvidia-device-plugin";
    static final String RUNTIME_CLASS = "nvidia";

    private PluginValues() {
    }

    static ChartValues of(Compose compose) {
        ChartValues values = compose.values();
        CardCluster cluster = compose.cluster();
        List<Taint> met = List.copyOf(cluster.met());
        if (values.now("runtimeClassName").asText("").isEmpty()) {
            values.set("runtimeClassName", RUNTIME_CLASS, compose.say("value.runtimeClass"));
        }
        if (compose.installs()) {
            values.set("gfd.enabled", true, compose.say("value.gfd"));
        }
        String release = compose.release().map(r -> r.namespace() + "/" + r.name()).orElse(NAMESPACE + "/" + NAMESPACE);
        cluster.otherDiscovery(release).stream().findFirst().ifPresent(other -> values.set("nfd.enabled", false,
                compose.say("value.nfd.off", CardCluster.namespace(other) + "/" + CardCluster.name(other))));
        tolerate(compose, values, "tolerations", met);
        boolean ownDiscovery = values.now("gfd.enabled").asBoolean(false) && values.now("nfd.enabled").asBoolean(true);
        if (ownDiscovery) {
            tolerate(compose, values, "nfd.worker.tolerations", met);
            tolerate(compose, values, "nfd.master.tolerations",
                    cluster.inTheWay(new Tolerations(values.now("nfd.master.tolerations"))));
        }
        return values;
    }

    private static void tolerate(Compose compose, ChartValues values, String path, List<Taint> taints) {
        Tolerations now = new Tolerations(values.now(path));
        List<Taint> missing = now.untolerated(taints);
        if (!missing.isEmpty()) {
            values.set(path, now.and(missing), compose.say("value.tolerations", CardCluster.namesOf(missing)));
        }
    }

    /** Whether the class that the plugin names is there. */
    static boolean hasClass(CardCluster cluster) {
        return cluster.survey().one(ObjectType.RUNTIME_CLASS, "", RUNTIME_CLASS).isPresent();
    }
}
