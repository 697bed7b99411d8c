package dev.pitwall.journey.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HelmChange.Dead;
import dev.pitwall.journey.change.HelmChange.Past;
import dev.pitwall.journey.change.HelmChange.Revision;
import dev.pitwall.journey.change.HelmChange.Traces;
import dev.pitwall.journey.change.HelmChange.Wanted;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.LabPatience;
import dev.pitwall.lab.helm.RealHelm;
import dev.pitwall.link.LabSystems;
import dev.pitwall.link.SiteSystems;
import dev.pitwall.link.Troubles;
import dev.pitwall.site.Supply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Releases made and taken back on a cluster that has none of the operator to begin with. */
class HelmMakingTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Patience PATIENCE = LabPatience.real();
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
        RealHelm.require();
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
        return new HelmMaking(change, helm, cluster, List.of(charts), PATIENCE);
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
        await().until(() -> cluster.list(ObjectType.NODE, "", "").stream()
                .anyMatch(node -> node.at("/metadata/labels").has("nvidia.com/gpu.product")));
        assertThat(cluster.list(ObjectType.RUNTIME_CLASS, "", "")).isNotEmpty();

        HelmChange back = install.inverse(charts);
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        making(back).make(Optional.empty());
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.AFTER);
        make(space.inverse());
        assertThat(ClusterPicture.difference(before, ClusterPicture.of(cluster, kubeconfig))).isEmpty();
    }

    private static HelmChange ollama(String space, String values) throws Exception {
        return install(space, "ollama", ollamaVersion(), values, Traces.NONE);
    }

    private static String ollamaVersion() throws Exception {
        return helm.versions(charts, "ollama").getFirst();
    }

    private static HelmChange otherValues(String space, String values) throws Exception {
        return new HelmChange(cluster.name(), space, "ollama", Optional.of(new Revision(1, "ollama", ollamaVersion())),
                Optional.of(new Wanted("ollama", ollamaVersion(), charts, Optional.of(1), yaml(values))), List.of(),
                Traces.NONE, LIMIT, LIMIT);
    }

    /** Writes into Helm's own record what a Helm that was killed would have left there. */
    private static void leave(String space, String release, int revision, String status) throws Exception {
        ObjectRef at = new ObjectRef(ObjectType.SECRET, space, "sh.helm.release.v1." + release + ".v" + revision);
        ObjectNode record = KeptRelease.read(cluster.get(at).orElseThrow());
        record.withObjectProperty("info").put("status", status);
        ObjectNode patch = JSON.createObjectNode();
        patch.putObject("metadata").putObject("labels").put("status", status);
        patch.putObject("data").put("release", KeptRelease.packed(record));
        cluster.patch(at, patch, "", Earnest.MAKE);
    }

    private static String manifest(String space, String release, int revision) throws Exception {
        return KeptRelease.read(cluster.get(new ObjectRef(ObjectType.SECRET, space, "sh.helm.release.v1." + release + ".v"
                + revision)).orElseThrow()).path("manifest").asText();
    }

    private static String other(Standing standing) {
        assertThat(standing).isInstanceOf(Standing.Other.class);
        return ((Standing.Other) standing).what();
    }

    @Test
    void anInstallationThatDiedInHelmIsBegunAnew() throws Exception {
        make(space("half"));
        HelmChange install = ollama("half", "{replicaCount: 1}");
        Optional<String> mark = making(install).mark();
        assertThat(mark).contains("0");
        making(install).make(mark);
        leave("half", "ollama", 1, "pending-install");
        assertThat(other(making(install).standing(Optional.empty())))
                .startsWith("release ollama in half: another operation of Helm has not ended, revision 1 is pending-install");
        assertThat(making(install).standing(mark)).isInstanceOf(Standing.Half.class);
        assertThat(making(install).make(mark)).isEqualTo("revision 1");
        assertThat(making(install).standing(mark)).isEqualTo(Standing.AFTER);

        leave("half", "ollama", 1, "failed");
        HelmChange back = install.inverse(charts);
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        making(back).make(Optional.empty());
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.AFTER);
    }

    @Test
    void anUpgradeThatDiedInHelmIsMadeAgainOrTakenBack() throws Exception {
        make(space("step"));
        making(ollama("step", "{replicaCount: 1, extraArgs: [secret-of-before]}")).make(Optional.empty());
        HelmChange change = otherValues("step", "{replicaCount: 2}");
        assertThat(making(change).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        Optional<String> mark = making(change).mark();
        making(change).make(mark);
        leave("step", "ollama", 1, "deployed");
        leave("step", "ollama", 2, "pending-upgrade");
        assertThat(other(making(change).standing(Optional.empty()))).contains("revision 2 is pending-upgrade since ");
        assertThat(making(change).standing(mark)).isInstanceOf(Standing.Half.class);
        assertThat(making(change).make(mark)).isEqualTo("revision 2");
        assertThat(making(change).standing(mark)).isEqualTo(Standing.AFTER);

        leave("step", "ollama", 1, "deployed");
        leave("step", "ollama", 2, "pending-upgrade");
        HelmChange back = change.inverse(charts);
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        making(back).make(Optional.empty());
        assertThat(release("step", "ollama").orElseThrow().status()).isEqualTo("deployed");
        assertThat(helm.values("step", "ollama", 2)).isEqualTo(helm.values("step", "ollama", 1));
    }

    @Test
    void whatAnotherHelmThatDiedHasLeftIsForgottenAndTheReleaseMade() throws Exception {
        make(space("dead"));
        making(ollama("dead", "{replicaCount: 1, extraArgs: [before]}")).make(Optional.empty());
        making(otherValues("dead", "{replicaCount: 3}")).make(Optional.empty());
        leave("dead", "ollama", 1, "deployed");
        leave("dead", "ollama", 2, "pending-upgrade");
        assertThat(helm.history("dead", "ollama")).extracting(r -> r.revision() + " " + r.status())
                .containsExactly("2 pending-upgrade", "1 deployed");

        HelmChange change = otherValues("dead", "{replicaCount: 2}").over(new Dead(2, "pending-upgrade"));
        assertThat(making(change).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        assertThat(making(change.over(new Dead(2, "pending-rollback"))).standing(Optional.empty())).as("not what was shown")
                .isInstanceOf(Standing.Other.class);
        Optional<String> mark = making(change).mark();
        assertThat(mark).contains("1");
        // Killed after it was forgotten, and again while Helm worked.
        helm.abandon("dead", "ollama", 2);
        assertThat(making(change).standing(mark)).isEqualTo(Standing.BEFORE);
        making(change).make(mark);
        leave("dead", "ollama", 1, "deployed");
        leave("dead", "ollama", 2, "pending-upgrade");
        assertThat(making(change).standing(mark)).isInstanceOf(Standing.Half.class);
        making(change).make(mark);
        assertThat(making(change).standing(mark)).isEqualTo(Standing.AFTER);
        assertThat(helm.values("dead", "ollama", 2)).contains(yaml("{replicaCount: 2, extraArgs: [before]}"));

        HelmChange back = change.inverse(charts);
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        making(back).make(Optional.empty());
        assertThat(helm.values("dead", "ollama", 3)).isEqualTo(helm.values("dead", "ollama", 1));

        make(space("begun"));
        HelmChange install = ollama("begun", "{replicaCount: 1}").over(new Dead(1, "pending-install"));
        making(ollama("begun", "{replicaCount: 5}")).make(Optional.empty());
        leave("begun", "ollama", 1, "pending-install");
        assertThat(making(install).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        making(install).make(making(install).mark());
        assertThat(making(install).standing(Optional.empty())).isEqualTo(Standing.AFTER);
        making(install.inverse(charts)).make(Optional.empty());
        assertThat(release("begun", "ollama")).isEmpty();
    }

    @Test
    void undoOfAnUpgradeGoesBackToTheOldChartAndItsValuesExactly() throws Exception {
        make(space("older"));
        HelmChange first = install("older", OPERATOR, "v26.3.2",
                "{driver: {enabled: false, version: null}, operator: {cleanupCRD: false}, env: {password: before}}", Traces.NONE);
        making(first).make(Optional.empty());
        HelmChange upgrade = new HelmChange(cluster.name(), "older", OPERATOR, Optional.of(new Revision(1, OPERATOR, "v26.3.2")),
                Optional.of(new Wanted(OPERATOR, NEWEST, charts, Optional.of(1), yaml("{driver: {enabled: true}}"))),
                List.of(), Traces.NONE, LIMIT, LIMIT);
        making(upgrade).make(Optional.empty());
        assertThat(making(upgrade).standing(Optional.empty())).isEqualTo(Standing.AFTER);
        assertThat(release("older", OPERATOR).orElseThrow().chartVersion()).isEqualTo(NEWEST);
        assertThat(helm.values("older", OPERATOR, 2).orElseThrow().at("/env/password").asText()).isEqualTo("before");

        HelmChange back = upgrade.inverse(charts);
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        making(back).make(Optional.empty());
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.AFTER);
        assertThat(release("older", OPERATOR).orElseThrow().chartVersion()).isEqualTo("v26.3.2");
        assertThat(helm.values("older", OPERATOR, 3)).isEqualTo(helm.values("older", OPERATOR, 1));
        assertThat(manifest("older", OPERATOR, 3)).isEqualTo(manifest("older", OPERATOR, 1));

        HelmChange nowhere = new HelmChange(cluster.name(), "older", OPERATOR,
                Optional.of(new Revision(3, OPERATOR, "v26.3.2")), Optional.of(new Wanted(OPERATOR, "v20.1.0", charts,
                Optional.of(1), yaml("{}"))), List.of(), Traces.NONE, LIMIT, LIMIT);
        assertThat(other(making(nowhere).standing(Optional.empty()))).contains("it has no version v20.1.0");
        HelmChange away = new HelmChange(cluster.name(), "older", OPERATOR, Optional.of(new Revision(3, OPERATOR, "v26.3.2")),
                Optional.empty(), List.of(), new Traces(definitions, new TreeMap<>(), PREFIXES), Past.FORGOTTEN, LIMIT, LIMIT);
        making(away).make(Optional.empty());
        assertThat(making(away).standing(Optional.empty())).isEqualTo(Standing.AFTER);
    }

    @Test
    void whatWasUninstalledComesBackWithTheValuesThatItHad() throws Exception {
        make(space("return"));
        making(ollama("return", "{replicaCount: 2, extraArgs: [a]}")).make(Optional.empty());
        HelmChange away = new HelmChange(cluster.name(), "return", "ollama",
                Optional.of(new Revision(1, "ollama", ollamaVersion())), Optional.empty(), List.of(), Traces.NONE, LIMIT, LIMIT);
        making(away).make(Optional.empty());
        assertThat(making(away).standing(Optional.empty())).isEqualTo(Standing.AFTER);
        HelmChange back = away.inverse("");
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        making(back).make(making(back).mark());
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.AFTER);
        assertThat(helm.values("return", "ollama", 2)).isEqualTo(helm.values("return", "ollama", 1));
    }

    private static ObjectRef define() throws Exception {
        ObjectRef things = ObjectRef.of(ObjectType.DEFINITION, "things.example.org");
        cluster.create(things, yaml("""
                spec:
                  group: example.org
                  scope: Cluster
                  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
                  versions:
                    - name: v1
                      served: true
                      storage: true
                      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """), Earnest.MAKE);
        await().until(() -> cluster.get(things).orElseThrow().at("/status/conditions").toString().contains("Established"));
        return things;
    }

    @Test
    void definitionsGoUnlessOthersHaveObjectsOfThemAndAFinalizerThatHoldsThemIsNamed() throws Exception {
        make(space("kinds"));
        Duration brief = Duration.ofSeconds(2);
        HelmChange install = new HelmChange(cluster.name(), "kinds", "ollama", Optional.empty(), Optional.of(new Wanted(
                "ollama", ollamaVersion(), charts, Optional.empty(), yaml("{}"))), List.of(),
                new Traces(List.of("things.example.org"), new TreeMap<>(), List.of()), brief, brief);
        assertThat(making(install).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        ObjectRef definition = define();
        assertThat(other(making(install).standing(Optional.empty())))
                .isEqualTo("things.example.org is there now, and was not before");
        assertThat(making(install).standing(Optional.of("0"))).as("Helm makes definitions first")
                .isInstanceOf(Standing.Half.class);
        making(install).make(Optional.of("0"));

        ObjectType type = new ObjectType("example.org", "v1", "things", "Thing", ObjectType.Scope.CLUSTER);
        ObjectRef foreign = ObjectRef.of(type, "foreign");
        cluster.create(foreign, yaml("{}"), Earnest.MAKE);
        HelmChange back = install.inverse(charts);
        assertThat(other(making(back).standing(Optional.empty()))).isEqualTo("things.example.org has objects that are not"
                + " of this release, and would take them along: foreign");
        cluster.delete(foreign);
        ObjectRef held = ObjectRef.of(type, "held");
        cluster.create(held, yaml("metadata: {labels: {app.kubernetes.io/instance: ollama}, finalizers: [example.org/keep]}"),
                Earnest.MAKE);
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.BEFORE);
        assertThat(Troubles.of(() -> making(back).make(Optional.empty())).what())
                .isEqualTo("it is deleted and does not go since 2 s: held has finalizer example.org/keep");
        cluster.patch(held, yaml("metadata: {finalizers: null}"), "", Earnest.MAKE);
        making(back).make(Optional.empty());
        assertThat(making(back).standing(Optional.empty())).isEqualTo(Standing.AFTER);
        assertThat(cluster.get(definition)).isEmpty();
    }

    @Test
    void labelsOfNodesAreSetBackToWhatTheyWere() throws Exception {
        make(space("labels"));
        ObjectRef node = ObjectRef.of(ObjectType.NODE, cluster.list(ObjectType.NODE, "", "").getFirst()
                .at("/metadata/name").asText());
        cluster.patch(node, yaml("metadata: {labels: {example.org/was: \"1\"}}"), "", Earnest.MAKE);
        TreeMap<String, SortedMap<String, String>> before = new TreeMap<>();
        before.put(node.name(), new TreeMap<>(Map.of("example.org/was", "1")));
        HelmChange install = install("labels", "ollama", ollamaVersion(), "{}", new Traces(List.of(), before,
                List.of("example.org/")));
        making(install).make(Optional.empty());
        cluster.patch(node, yaml("metadata: {labels: {example.org/was: \"2\", example.org/new: x, other.org/y: z}}"), "",
                Earnest.MAKE);
        HelmChange back = install.inverse(charts);
        making(back).make(Optional.empty());
        JsonNode labels = cluster.get(node).orElseThrow().at("/metadata/labels");
        assertThat(labels.path("example.org/was").asText()).isEqualTo("1");
        assertThat(labels.has("example.org/new")).isFalse();
        assertThat(labels.path("other.org/y").asText()).isEqualTo("z");
        cluster.patch(node, yaml("metadata: {labels: {example.org/was: null, other.org/y: null}}"), "", Earnest.MAKE);
    }
}
