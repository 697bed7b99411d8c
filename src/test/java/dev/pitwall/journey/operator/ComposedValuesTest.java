package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ObjectType;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;

/** Every key that is set exists in the makers' own values file of the chart's version. */
class ComposedValuesTest {
    private static final List<String> VERSIONS = List.of("v25.3.4", "v25.10.1", "v26.3.2", "v26.3.3", "v26.7.0");
    private static final List<Consumer<CardScene>> SYSTEMS = List.of(s -> { },
            s -> s.distribution("v1.33.5+k3s1", "Ubuntu 24.04"), s -> s.distribution("v1.34.1", "Ubuntu 24.04"),
            s -> s.distribution("v1.34.1", "Ubuntu 24.04").label("worker-1", "microk8s.io/cluster", "true"),
            s -> s.distribution("v1.34.1", "Talos (v1.13.2)"));
    private static final List<Consumer<CardScene>> DRIVERS = List.of(s -> { }, s -> s.choose("driver", "os"),
            s -> s.choose("driver", "os").choose("toolkit", "os"));
    private static final List<Consumer<CardScene>> CARDS = List.of(s -> { }, s -> s.chip = "GP107GL [Quadro P620]",
            s -> s.chip = "GB202 [GeForce RTX 5090]");
    private static final List<Consumer<CardScene>> REST = List.of(s -> { }, ComposedValuesTest::everything);

    private static void everything(CardScene scene) {
        scene.taint("worker-1", "dedicated", "ml").taint("server-1", "node-role.kubernetes.io/control-plane", "")
                .taint("server-1", "own", "x").choose("mig", "mixed").choose("taint", "present");
        scene.cluster.with(ObjectType.NAMESPACE, "{metadata: {name: gpu-operator}}");
        scene.cluster.with(ObjectType.LIMIT_RANGE, "{metadata: {name: small, namespace: gpu-operator}, spec: {limits: "
                + "[{type: Container, default: {memory: 256Mi}}]}}");
        scene.defines("servicemonitors.monitoring.coreos.com", "prometheuses.monitoring.coreos.com");
        scene.cluster.with(ObjectType.PROMETHEUS, "{metadata: {name: p, namespace: monitoring}, spec: "
                + "{serviceMonitorSelector: {matchLabels: {release: kps}}}}");
        scene.cluster.denied.add("patch namespaces");
    }

    @Test
    void everyKeyOfEveryCompositionIsTheCharts() throws IOException {
        Set<String> set = new TreeSet<>();
        for (String version : VERSIONS) {
            for (CardScene scene : scenes()) {
                scene.choose("stack", "operator").choose("operator-version", version);
                Optional<HelmChange> change = change(scene);
                if (change.isPresent()) {
                    check(change.get(), "gpu-operator", "node-feature-discovery", set);
                }
            }
        }
        assertThat(set).contains("driver.enabled", "driver.version", "driver.kernelModuleType", "toolkit.enabled",
                "toolkit.env", "hostPaths.driverInstallDir", "daemonsets.tolerations", "operator.tolerations",
                "node-feature-discovery.worker.tolerations", "node-feature-discovery.master.tolerations",
                "driver.resources.limits.memory", "dcgmExporter.resources.limits.memory", "mig.strategy", "cdi.enabled",
                "dcgmExporter.serviceMonitor.additionalLabels", "psa.enabled");
    }

    @Test
    void soIsEveryKeyOfTheStandalonePlugin() throws IOException {
        Set<String> set = new TreeSet<>();
        for (CardScene scene : scenes()) {
            scene.choose("stack", "device-plugin").taint("worker-1", "nvidia.com/gpu", "true").cluster.denied.clear();
            HelmChange change = change(scene).orElseThrow();
            check(change, "nvidia-device-plugin", "nfd", set);
        }
        assertThat(set).contains("runtimeClassName", "gfd.enabled", "nfd.worker.tolerations");
    }

    private static List<CardScene> scenes() {
        List<CardScene> scenes = new ArrayList<>();
        SYSTEMS.forEach(system -> DRIVERS.forEach(driver -> CARDS.forEach(card -> REST.forEach(rest -> {
            CardScene scene = new CardScene();
            List.of(system, driver, card, rest).forEach(part -> part.accept(scene));
            scenes.add(scene);
        }))));
        return scenes;
    }

    private static Optional<HelmChange> change(CardScene scene) {
        return scene.look("operator").changes().stream().filter(HelmChange.class::isInstance).map(HelmChange.class::cast)
                .findFirst();
    }

    private static void check(HelmChange change, String chart, String subchart, Set<String> set) throws IOException {
        JsonNode values = PaperCluster.yaml(Files.readString(PaperHelm.CHARTS.resolve(chart)
                .resolve(change.after().orElseThrow().version()).resolve("values.yaml")));
        JsonNode below = PaperCluster.yaml(Files.readString(PaperHelm.DISCOVERY));
        change.lines().forEach(line -> {
            set.add(line.path());
            boolean own = has(values, line.path());
            boolean inherited = line.path().startsWith(subchart + ".")
                    && has(below, line.path().substring(subchart.length() + 1));
            assertThat(own || inherited).as(change.after().orElseThrow().version() + ": " + line.path()).isTrue();
        });
    }

    /** An empty object takes any key. */
    private static boolean has(JsonNode values, String path) {
        JsonNode at = values;
        for (String key : path.split("\\.")) {
            if (at.isObject() && at.isEmpty()) {
                return true;
            }
            if (!at.has(key)) {
                return false;
            }
            at = at.get(key);
        }
        return true;
    }
}
