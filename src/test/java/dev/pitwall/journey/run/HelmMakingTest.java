package dev.pitwall.journey.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HelmChange.Past;
import dev.pitwall.journey.change.HelmChange.Revision;
import dev.pitwall.journey.change.HelmChange.Traces;
import dev.pitwall.journey.change.HelmChange.Wanted;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.link.LabSystems;
import dev.pitwall.link.SiteSystems;
import dev.pitwall.link.Troubles;
import dev.pitwall.site.Supply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Releases made and taken back on a cluster that has none of the operator to begin with. */
class HelmMakingTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Patience PATIENCE = new Patience(CLOCK, time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()),
            Duration.ofMillis(50), Duration.ofSeconds(10), Duration.ofSeconds(10));
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String OPERATOR = "gpu-operator";
    private static final List<String> PREFIXES = List.of("nvidia.com/", "feature.node.kubernetes.io/",
            "nfd.node.kubernetes.io/");
    private static final String NEWEST = "v26.3.3";

    @TempDir
    private static Path dir;
    private static LabSystems lab;
    private static SiteSystems systems;
    private static Cluster cluster;
    private static Helm helm;
    private static String charts;
    private static List<String> definitions;
    /** What the operator of the scene was given: its node has a driver of its own. */
    private static String values = "{}";

    @BeforeAll
    static void start() throws Exception {
        dev.pitwall.lab.helm.RealHelm.require();
        lab = LabSystems.start(LabOptions.garage(dir).withScene("metal").withSpeed(120));
        systems = lab.open(lab.site());
        cluster = systems.cluster().orElseThrow();
        helm = systems.helm().orElseThrow();
        charts = systems.address(Supply.OPERATOR_CHARTS);
        definitions = helm.chart(charts, OPERATOR, NEWEST).definitions();
        withoutOperator();
    }

    @AfterAll
    static void stop() {
        if (systems != null) {
            systems.close();
            lab.close();
        }
    }

    /** The scene begins with the operator. */
    private static void withoutOperator() throws Exception {
        Optional<Release> there = helm.releases().stream().filter(r -> r.chart().equals(OPERATOR)).findFirst();
        if (there.isPresent()) {
            values = helm.values(there.get().namespace(), there.get().name(), there.get().revision()).orElseThrow().toString();
            Revision now = new Revision(there.get().revision(), OPERATOR, there.get().chartVersion());
            HelmChange away = new HelmChange(cluster.name(), there.get().namespace(), there.get().name(), Optional.of(now),
                    Optional.empty(), List.of(), new Traces(definitions, new TreeMap<>(), PREFIXES), Past.FORGOTTEN, LIMIT,
                    LIMIT);
            making(away).make(Optional.empty());
            assertThat(making(away).standing(Optional.empty())).isEqualTo(Standing.AFTER);
            cluster.delete(ObjectRef.of(ObjectType.NAMESPACE, there.get().namespace()));
            await().untilAsserted(() -> assertThat(cluster.get(ObjectRef.of(ObjectType.NAMESPACE,
                    there.get().namespace()))).isEmpty());
        }
    }

    private static HelmMaking making(HelmChange change) {
        return new HelmMaking(change, helm, cluster, PATIENCE);
    }

    private static JsonNode yaml(String text) throws IOException {
        return YAML.readTree(text);
    }

    private static ManifestChange space(String name) throws IOException {
        return ManifestChange.making(cluster.name(), ObjectRef.of(ObjectType.NAMESPACE, name),
                yaml("metadata: {labels: {pod-security.kubernetes.io/enforce: privileged}}"), "namespace " + name);
    }

    private static HelmChange install(String space, String chart, String version, String values, Traces traces)
            throws Exception {
        return new HelmChange(cluster.name(), space, chart, Optional.empty(), Optional.of(new Wanted(chart, version, charts,
                Optional.empty(), yaml(values))), List.of(), traces, LIMIT, LIMIT);
    }

    private static HelmChange operator(String space) throws Exception {
        return install(space, OPERATOR, NEWEST, values,
                new Traces(definitions, new TreeMap<>(), PREFIXES));
    }

    private static Optional<Release> release(String space, String name) throws Exception {
        return helm.releases().stream().filter(r -> r.namespace().equals(space) && r.name().equals(name)).findFirst();
    }

    private static void make(ManifestChange change) throws Exception {
        new ManifestMaking(change, cluster, PATIENCE).make(Optional.empty());
    }

    @Test
    void undoOfAnInstallLeavesEveryObjectAndEveryNodeAsItWas() throws Exception {
        Path kubeconfig = dir.resolve("lab/kubeconfig").toFile().exists() ? dir.resolve("lab/kubeconfig")
                : dir.resolve("kubeconfig");
        TreeMap<String, String> before = ClusterPicture.of(cluster, kubeconfig);
        ManifestChange space = space("undone");
        HelmChange install = operator("undone");
        assertThat(making(install).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        make(space);
        making(install).make(Optional.empty());
        assertThat(making(install).standing(Optional.empty())).isEqualTo(Standing.AFTER);
        await().atMost(Duration.ofSeconds(60)).until(() -> cluster.list(ObjectType.NODE, "", "").stream()
                .anyMatch(node -> node.at("/metadata/labels").has("nvidia.com/gpu.product")));
        assertThat(cluster.list(ObjectType.RUNTIME_CLASS, "", "")).isNotEmpty();

        HelmChange back = install.inverse(charts);
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        making(back).make(Optional.empty());
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.AFTER);
        make(space.inverse());
        assertThat(ClusterPicture.difference(before, ClusterPicture.of(cluster, kubeconfig))).isEmpty();
    }
}
