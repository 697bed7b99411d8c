package dev.pitwall.link.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Helm.ChartFile;
import dev.pitwall.journey.Helm.Order;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.HelmChange.Past;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.link.LabSystems;
import dev.pitwall.link.SiteSystems;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.kube.SignedIn;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Supply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Helm on the garage's cluster, with charts from the lab's repository. */
class RealHelmTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final NetworkTrouble TROUBLES = new NetworkTrouble(new Words());
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String SPACE = "helm-tests";

    @TempDir
    private static Path dir;
    private static LabSystems lab;
    private static SiteSystems systems;
    private static Cluster cluster;
    private static Helm helm;
    private static String charts;

    @BeforeAll
    static void start() throws Exception {
        dev.pitwall.lab.helm.RealHelm.require();
        lab = LabSystems.start(LabOptions.garage(dir).withSpeed(60));
        systems = lab.open(lab.site());
        cluster = systems.cluster().orElseThrow();
        helm = systems.helm().orElseThrow();
        charts = systems.address(Supply.OLLAMA_CHARTS);
        cluster.create(ObjectRef.of(ObjectType.NAMESPACE, SPACE), JSON.createObjectNode(), Earnest.MAKE);
    }

    @AfterAll
    static void stop() {
        if (systems != null) {
            systems.close();
            lab.close();
        }
    }

    private static JsonNode yaml(String text) throws IOException {
        return YAML.readTree(text);
    }

    private static Order ollama(String release, String values) throws Exception {
        return new Order(SPACE, release, charts, "ollama", helm.versions(charts, "ollama").getFirst(), yaml(values));
    }

    private static Optional<Release> release(String name) throws Exception {
        return helm.releases().stream().filter(r -> r.name().equals(name)).findFirst();
    }

    private static void uninstall(String release) throws Exception {
        helm.uninstall(SPACE, release, Past.FORGOTTEN, LIMIT, line -> { });
    }

    @Test
    void aRepositoryListsItsVersionsByTheirOrderAndTheMakersAddressIsTheSites() throws Exception {
        assertThat(systems.address(Supply.OPERATOR_CHARTS)).startsWith("http://127.0.0.1:");
        assertThat(helm.versions(charts, "gpu-operator")).containsExactly("v26.7.0", "v26.3.3", "v26.3.2", "v25.10.1",
                "v25.3.4");
    }

    @Test
    void aChartTellsItsDefaultsWithThoseOfItsSubchartsAndTheDefinitionsThatItBrings() throws Exception {
        ChartFile chart = helm.chart(charts, "gpu-operator", "v26.7.0");
        assertThat(chart.version()).isEqualTo("v26.7.0");
        assertThat(chart.values().at("/driver/version").asText()).isEqualTo("595.91.07");
        assertThat(chart.values().at("/nfd/enabled").asBoolean()).isTrue();
        assertThat(chart.values().at("/node-feature-discovery/worker")).isNotEmpty();
        assertThat(chart.definitions()).contains("clusterpolicies.nvidia.com", "nodefeatures.nfd.k8s-sigs.io");
        assertThat(helm.chart(charts, "gpu-operator", "26.7.0")).isEqualTo(chart);
    }

    @Test
    void aReleaseIsInstalledUpgradedAndUninstalledAndItsValuesAreReadFromTheCluster() throws Exception {
        List<String> lines = new ArrayList<>();
        helm.install(ollama("life", "{ollama: {models: {pull: []}}, extraEnv: [{name: A, value: \"true\"}], x: null}"),
                LIMIT, lines::add);
        assertThat(lines).containsExactly("life is deployed at revision 1");
        Release first = release("life").orElseThrow();
        assertThat(first.status()).isEqualTo("deployed");
        assertThat(first.chart()).isEqualTo("ollama");
        assertThat(first.namespace()).isEqualTo(SPACE);
        assertThat(helm.values(SPACE, "life", 1).orElseThrow().at("/extraEnv/0/value")).isEqualTo(yaml("\"true\""));

        helm.upgrade(ollama("life", "{replicaCount: 2}"), LIMIT, lines::add);
        assertThat(release("life").orElseThrow().revision()).isEqualTo(2);
        assertThat(helm.values(SPACE, "life", 2)).contains(yaml("{replicaCount: 2}"));
        helm.upgrade(ollama("life", "{}"), LIMIT, lines::add);
        assertThat(helm.values(SPACE, "life", 3)).as("nothing of before is left").contains(yaml("{}"));
        assertThat(helm.values(SPACE, "life", 9)).isEmpty();

        uninstall("life");
        assertThat(release("life")).isEmpty();
    }

    @Test
    void aReleaseThatIsUninstalledWithItsPastKeptComesBack() throws Exception {
        helm.install(ollama("back", "{replicaCount: 2}"), LIMIT, line -> { });
        helm.uninstall(SPACE, "back", Past.KEPT, LIMIT, line -> { });
        assertThat(release("back").orElseThrow().status()).isEqualTo("uninstalled");
        ObjectRef deployment = new ObjectRef(ObjectType.DEPLOYMENT, SPACE, "back-ollama");
        await().untilAsserted(() -> assertThat(cluster.get(deployment)).isEmpty());
        JsonNode values = helm.values(SPACE, "back", 1).orElseThrow();
        helm.upgrade(ollama("back", values.toString()), LIMIT, line -> { });
        assertThat(release("back").orElseThrow().status()).isEqualTo("deployed");
        assertThat(cluster.get(deployment).orElseThrow().at("/spec/replicas").asInt()).isEqualTo(2);
        uninstall("back");
    }

    @Test
    void whatAChartMakesIsRenderedForTheClustersVersion() throws Exception {
        List<JsonNode> objects = helm.template(ollama("shown", "{replicaCount: 3}"));
        assertThat(objects).extracting(o -> o.path("kind").asText()).contains("Deployment", "Service");
        assertThat(objects).filteredOn(o -> o.path("kind").asText().equals("Deployment")).singleElement()
                .satisfies(o -> assertThat(o.at("/spec/replicas").asInt()).isEqualTo(3));
        Trouble refused = Troubles.of(() -> helm.template(new Order("gpu-operator", "x", charts, "gpu-operator", "v26.7.0",
                yaml("{gpuCluster: {deployCR: true}}"))));
        assertThat(refused.what()).startsWith("the chart refuses these values: ").contains(".yaml");
    }

    @Test
    void whatARepositoryHasNotIsSaid() throws Exception {
        assertThat(Troubles.of(() -> helm.versions("http://127.0.0.1:1", "ollama"))).satisfies(trouble -> {
            assertThat(trouble.kind()).isEqualTo(Kind.CONNECT);
            assertThat(trouble.sentence()).isEqualTo("127.0.0.1:1: connection refused: nothing listens on port 1");
        });
        assertThat(Troubles.of(() -> helm.versions(charts + "/none", "ollama")).what())
                .isEqualTo("there is no chart repository at " + charts + "/none: it answers with HTTP 404 for index.yaml");
        assertThat(Troubles.of(() -> helm.versions("oci://registry.lan/charts", "ollama")).what())
                .isEqualTo("oci://registry.lan/charts is a registry of images, and Pitwall reads charts from repositories only");
        assertThat(Troubles.of(() -> helm.versions(charts, "olama")).what()).startsWith("it has no chart olama; it has ")
                .contains("ollama");
        assertThat(Troubles.of(() -> helm.chart(charts, "gpu-operator", "v99.0.0")).what())
                .isEqualTo("it has no version v99.0.0 of chart gpu-operator; its newest is v26.7.0");
    }

    @Test
    void whatHelmRefusesIsOneSentence() throws Exception {
        helm.install(ollama("taken", "{}"), LIMIT, line -> { });
        assertThat(Troubles.of(() -> helm.install(ollama("taken", "{}"), LIMIT, line -> { })).what())
                .startsWith("the name is taken");
        assertThat(Troubles.of(() -> helm.install(ollama("other", "{fullnameOverride: taken-ollama}"), LIMIT, line -> { }))
                .what()).endsWith(" is there already and belongs to release taken");
        assertThat(Troubles.of(() -> helm.upgrade(ollama("taken", "{service: {type: Odd}}"), LIMIT, line -> { })).what())
                .startsWith("the cluster does not take Service taken-ollama: spec.type: Unsupported value: \"Odd\"");
        assertThat(Troubles.of(() -> helm.upgrade(ollama("never", "{}"), LIMIT, line -> { })).what())
                .isEqualTo("it was never installed whole, so Helm does not upgrade it");
        Trouble gone = Troubles.of(() -> uninstall("never"));
        assertThat(gone.where()).isEqualTo("release never in " + SPACE + " (garage)");
        assertThat(gone.what()).isEqualTo("there is no such release");
        Order nowhere = ollama("lost", "{}");
        assertThat(Troubles.of(() -> helm.install(new Order("nowhere", "lost", charts, "ollama", nowhere.version(),
                yaml("{}")), LIMIT, line -> { })).what()).isEqualTo("there is no namespace nowhere");
        uninstall("taken");
    }

    @Test
    void anOperationThatDiedIsNamedWithItsRevisionAndCanBeAbandoned() throws Exception {
        helm.install(ollama("died", "{}"), LIMIT, line -> { });
        pending("died");
        Trouble trouble = Troubles.of(() -> helm.upgrade(ollama("died", "{}"), LIMIT, line -> { }));
        assertThat(trouble.kind()).isEqualTo(Kind.BUSY);
        assertThat(trouble.what()).startsWith(
                "another operation of Helm has not ended: revision 2 is pending-upgrade since ");
        assertThat(trouble.next()).contains("delete secret sh.helm.release.v1.died.v2");
        helm.abandon(SPACE, "died", 2);
        helm.upgrade(ollama("died", "{}"), LIMIT, line -> { });
        assertThat(release("died").orElseThrow().status()).isEqualTo("deployed");
        uninstall("died");
    }

    /** As a Helm that is killed leaves it: the next revision is there, and pending. */
    private static void pending(String release) throws Exception {
        JsonNode secret = cluster.get(ReleaseSecret.at(SPACE, release, 1)).orElseThrow();
        JsonNode next = ReleaseSecret.of(secret).as(2, "pending-upgrade");
        cluster.create(ReleaseSecret.at(SPACE, release, 2), next, Earnest.MAKE);
    }

    @Test
    void aValueThatIsASecretIsInNoSentence() throws Exception {
        Trouble trouble = Troubles.of(() -> helm.install(ollama("quiet", """
                {service: {type: hunter2-hunter2}, extraEnv: [{name: API_TOKEN, value: hunter2-hunter2}]}"""), LIMIT,
                line -> { }));
        assertThat(trouble.sentence() + trouble.next()).doesNotContain("hunter2").contains("***");
        uninstall("quiet");
    }

    @Test
    void aFolderForHelmsFilesIsItsOwnersAloneAndGoesAlsoAfterAKill() throws Exception {
        Path left = Path.of(System.getProperty("java.io.tmpdir"), "pitwall-helm-999999999-left");
        Files.createDirectories(left.resolve("in"));
        Path file;
        try (PrivateFolder folder = PrivateFolder.make()) {
            file = folder.write("kubeconfig", new byte[] {1});
            assertThat(Files.getPosixFilePermissions(file)).containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent()))).isEqualTo("rwx------");
        }
        assertThat(file.getParent()).doesNotExist();
        assertThat(left).doesNotExist();
    }

    @Test
    void aPluginThatSignsInAndPathsBesideTheKubeconfigWorkForHelmToo() throws Exception {
        String text = Files.readString(dir.resolve("kubeconfig"));
        Matcher token = Pattern.compile("token: \"?([0-9a-f]+)").matcher(text);
        assertThat(token.find()).isTrue();
        Path beside = Files.createDirectory(dir.resolve("beside"));
        Path plugin = Files.writeString(beside.resolve("sign-in"), """
                #!/bin/sh
                echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}'
                """.formatted(token.group(1)));
        Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
        Files.copy(dir.resolve("ca.pem"), beside.resolve("ca.pem"));
        Matcher server = Pattern.compile("https://127.0.0.1:\\d+").matcher(text);
        assertThat(server.find()).isTrue();
        Path config = Files.writeString(beside.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: other
                clusters: [{name: c, cluster: {server: "%s", certificate-authority: ca.pem}}]
                users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./sign-in,
                  interactiveMode: Never}}}]
                contexts: [{name: plugin, context: {cluster: c, user: u}}]
                """.formatted(server.group()));
        SignedIn signedIn = new SignedIn(new ClusterAccess(List.of(config), Optional.of("plugin")), InstantSource.system());
        try (Helm through = new RealHelm(cluster, signedIn, TROUBLES, InstantSource.system(), Map.of())) {
            through.install(ollama("plugged", "{}"), LIMIT, line -> { });
            assertThat(release("plugged").orElseThrow().status()).isEqualTo("deployed");
            through.uninstall(SPACE, "plugged", Past.FORGOTTEN, LIMIT, line -> { });
        }
    }

    @Test
    void anEnvironmentThatLeadsElsewhereIsRefused() throws Exception {
        ClusterAccess access = lab.site().cluster().orElseThrow();
        for (String variable : List.of("HELM_KUBEAPISERVER", "HELM_DRIVER")) {
            try (Helm led = new RealHelm(cluster, new SignedIn(access, InstantSource.system()), TROUBLES,
                    InstantSource.system(), Map.of(variable, "sql"))) {
                assertThat(Troubles.of(() -> led.install(ollama("astray", "{}"), LIMIT, line -> { })).what())
                        .contains(variable);
            }
        }
    }

    @Test
    void aRightThatIsMissingIsSaidAsTheClusterSaysIt() throws Exception {
        ClusterAccess viewer = new ClusterAccess(List.of(dir.resolve("kubeconfig")), Optional.of("garage-viewer"));
        try (Helm limited = new RealHelm(cluster, new SignedIn(viewer, InstantSource.system()), TROUBLES,
                InstantSource.system(), Map.of())) {
            Trouble trouble = Troubles.of(() -> limited.install(ollama("viewed", "{}"), LIMIT, line -> { }));
            assertThat(trouble.kind()).isEqualTo(Kind.RIGHTS);
            assertThat(trouble.what()).matches("\\S+ may not \\w+ secrets here");
        }
    }

    @Test
    void theFixtureOfAReleaseIsUnderstood() throws Exception {
        JsonNode secret = JSON.readTree(RealHelmTest.class.getResource("/read/cluster/helm-release-secret-sample.json"));
        Release release = ReleaseSecret.of(secret).release();
        assertThat(release.name()).isEqualTo("gpu-operator");
        assertThat(release.revision()).isEqualTo(2);
        assertThat(release.status()).isEqualTo("deployed");
        assertThat(ReleaseSecret.of(secret).values()).isNotEmpty();
    }
}
