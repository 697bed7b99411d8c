package dev.pitwall;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

import static org.assertj.core.api.Assertions.assertThat;

/** The command line against the practice lab, over its sockets, as a person would call it. */
class CommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path dir;
    private static Lab lab;

    @BeforeAll
    static void startLab() throws Exception {
        lab = Lab.start(LabOptions.garage(dir.resolve("lab")));
    }

    @AfterAll
    static void stopLab() {
        lab.close();
    }

    private record Answer(int exit, String out, String err) {
        JsonNode json() throws IOException {
            return JSON.readTree(out);
        }
    }

    private static Answer pitwall(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = new Commands(new PrintWriter(out), new PrintWriter(err)).run(args);
        assertThat(err.toString()).doesNotContain("Exception").doesNotContain("\tat ");
        return new Answer(exit, out.toString(), err.toString());
    }

    private static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    @Test
    void ofEvidenceThatIsNoTextOnlyThatIsSaid() throws Exception {
        Answer empty = pitwall("doctor", "--paste", Files.writeString(dir.resolve("empty.txt"), "").toString());
        Answer binary = pitwall("doctor", "--paste", Files.write(dir.resolve("binary"), new byte[400]).toString());

        assertThat(List.of(empty, binary)).allSatisfy(answer -> {
            assertThat(answer.exit()).isEqualTo(2);
            assertThat(answer.err()).startsWith("pitwall: nothing in it could be read as text");
            assertThat(answer.out()).isEmpty();
        });
    }

    @Test
    void statusReadsEveryFloorOfTheLabAndKeepsItsSecrets() throws Exception {
        Answer answer = pitwall("status", "--json", "--site", lab.siteFile().toString(), "--wait", "60");

        assertThat(answer.exit()).as(answer.out()).isZero();
        assertThat(list(answer.json().path("cards"))).hasSize(3).allSatisfy(card -> {
            assertThat(list(card.path("floors"))).hasSize(10).allSatisfy(floor -> {
                assertThat(floor.path("state").asText()).isEqualTo("ok");
                assertThat(floor.path("readings")).isNotEmpty();
            });
            assertThat(card.path("uuid").asText()).startsWith("GPU-");
            assertThat(card.path("vm").isInt()).isTrue();
        });
        assertThat(answer.json().path("errors")).isEmpty();
        String secret = JSON.readTree(lab.siteFile().toFile()).at("/proxmox/0/secret").asText();
        assertThat(answer.out() + answer.err()).doesNotContain(secret);
    }

    @Test
    void anEngineWithoutAWindowDecidesForItsCluster() throws Exception {
        Answer answer = pitwall("engine", "--json", "--mode", "manual", "--seconds", "6", "--site", lab.siteFile().toString());
        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.json().path("decides").asText()).isEqualTo("here");
        assertThat(answer.json().path("mode").asText()).isEqualTo("manual");
        assertThat(list(answer.json().path("servers"))).extracting(s -> s.path("name").asText())
                .contains("ollama-a", "ollama-b", "ollama-c");
        assertThat(answer.err()).contains("this engine decides for");
    }

    @Test
    void aFindingIsCuredOnlyWithYesAndItsRunIsInTheJournal() throws Exception {
        lab.switchOn("node-cordoned", Optional.of("pve2/0000:01:00"));
        String[] fix = {"doctor", "--site", lab.siteFile().toString(), "--fix", "node-cordoned"};

        Answer unasked = pitwall(fix);
        assertThat(unasked.exit()).as(unasked.err()).isEqualTo(2);
        assertThat(unasked.out()).contains("rke2-worker-dc2-gpu-a", "unschedulable");
        assertThat(unasked.err()).contains("--yes", "nothing was changed");
        JsonNode found = pitwall("doctor", "--site", lab.siteFile().toString(), "--json").json().path("findings").path(0);
        assertThat(found.path("evidence").findValues("compared").toString()).as(found.toString())
                .contains("Node rke2-worker-dc2-gpu-a", "unschedulable: true", "\"marked\":true");

        Answer cured = pitwall("doctor", "--site", lab.siteFile().toString(), "--fix", "node-cordoned", "--yes", "--json");
        assertThat(cured.exit()).as(cured.out() + cured.err()).isZero();
        assertThat(cured.json().path("state").asText()).as(cured.out()).isEqualTo("done");

        Answer again = pitwall(fix);
        assertThat(again.exit()).isEqualTo(2);
        assertThat(again.err()).contains("the Doctor does not find this here now");
    }

    @Test
    void aKubeconfigIsASiteOfOneCluster() throws Exception {
        Answer answer = pitwall("status", "--json", "--site", lab.dir().resolve("kubeconfig").toString(), "--wait", "60");

        assertThat(answer.exit()).as(answer.out()).isZero();
        assertThat(list(answer.json().path("cards"))).hasSize(3).allSatisfy(card -> {
            assertThat(card.at("/floors/2/state").asText()).isEqualTo("not-applicable");
            assertThat(card.at("/floors/6/state").asText()).isEqualTo("ok");
            assertThat(card.at("/floors/7/state").asText()).isEqualTo("ok");
        });
    }

    @Test
    void aClosedPortIsOneSentenceAndTheRestStaysLive() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        String site = Files.readString(lab.siteFile()).replaceFirst("\"url\"\\s*:\\s*\"https://127.0.0.1:\\d+\"",
                "\"url\":\"https://127.0.0.1:" + closed + "\"");
        Path file = Files.writeString(lab.dir().resolve("closed.json"), site);

        Answer answer = pitwall("status", "--json", "--site", file.toString(), "--wait", "60");

        assertThat(answer.exit()).isEqualTo(3);
        assertThat(list(answer.json().path("errors"))).singleElement().satisfies(error -> {
            assertThat(error.path("message").asText()).contains("127.0.0.1:" + closed).contains("refused");
            assertThat(error.path("next").asText()).isNotBlank();
        });
        assertThat(list(answer.json().path("cards"))).hasSize(3);
    }

    @Test
    void aSystemThatAcceptsAndNeverAnswersIsNoSilentSuccess() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Path file = Files.writeString(dir.resolve("mute.yaml"), """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                    users: [{name: u, user: {token: t}}]
                    contexts: [{name: x, context: {cluster: c, user: u}}]
                    current-context: x
                    """.formatted(mute.getLocalPort()));

            Answer answer = pitwall("status", "--json", "--site", file.toString(), "--wait", "2");

            assertThat(answer.exit()).isEqualTo(3);
            assertThat(answer.json().at("/errors/0/message").asText()).contains("no answer within 2 s");
        }
    }

    @Test
    void aBrokenSiteFileIsPointedAt() throws Exception {
        Path half = Files.writeString(dir.resolve("half.json"), "{\"name\": \"a\",\n  \"proxmox\": [{\"name\": ");

        Answer answer = pitwall("status", "--site", half.toString());

        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err()).contains("half.json").contains("line 2");
        assertThat(answer.out()).isEmpty();
    }

    @Test
    void aBrokenKubeconfigIsPointedAt() throws Exception {
        Path broken = Files.writeString(dir.resolve("broken.yaml"), "apiVersion: v1\nkind: Config\nclusters:\n- name: [\n");

        Answer answer = pitwall("status", "--site", broken.toString());

        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err()).contains("broken.yaml").contains("line");
    }

    @Test
    void theHelpOfReadListsTheFormsItKnows() {
        assertThat(pitwall("read", "--help").out()).contains("Understood forms:").contains("iommu-groups");
    }

    @Test
    void aLabListsTheFaultsOfItsSceneAndStartsNothing() throws Exception {
        Answer answer = pitwall("lab", "--fault", "list", "--json", "--dir", dir.resolve("none").toString());

        assertThat(answer.exit()).isZero();
        assertThat(list(answer.json().path("faults"))).extracting(f -> f.path("trap").asText())
                .contains("iommu-off", "driver-oom-while-compiling");
        assertThat(dir.resolve("none")).doesNotExist();
        assertThat(pitwall("lab", "--help").out()).contains("--fault list");
    }

    @Test
    void aFolderInWhichALabRunsIsLeftAlone() {
        Answer answer = pitwall("lab", "--seconds", "1", "--dir", lab.dir().toString());

        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err()).contains(lab.dir() + ": another practice lab is running in it").contains("another folder");
        assertThat(answer.out()).isEmpty();
    }

    @Test
    void anEmptySiteNameIsRefused() {
        Answer answer = pitwall("status", "--site", "");

        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err()).contains("--site: the name is empty");
        assertThat(pitwall("status", "--help").out()).contains("kubeconfig");
    }

    @Test
    void badUseNamesTheOption() {
        assertThat(pitwall("status", "--wait", "0")).satisfies(a -> {
            assertThat(a.exit()).isEqualTo(2);
            assertThat(a.err()).contains("--wait");
        });
        assertThat(pitwall("lab", "--hosts", "3", "--dir", dir.resolve("x").toString()).err()).contains("fleet");
        assertThat(pitwall("lab", "--scene", "attic", "--dir", dir.resolve("x").toString())).satisfies(a -> {
            assertThat(a.exit()).isEqualTo(2);
            assertThat(a.err()).contains("garage");
        });
        assertThat(pitwall("lab", "--fault", "no-such-trap", "--dir", dir.resolve("x").toString())).satisfies(a -> {
            assertThat(a.exit()).isEqualTo(2);
            assertThat(a.err()).contains("no-such-trap");
        });
        assertThat(pitwall("sttus").exit()).isEqualTo(2);
    }

    @Test
    void aLabSaysWhereEverythingIsAndEndsByItself() throws Exception {
        Answer answer = pitwall("lab", "--seconds", "1", "--dir", dir.resolve("second").toString());

        assertThat(answer.exit()).isZero();
        assertThat(answer.out()).startsWith("lab ready ").contains("proxmox/pve1=https://", "ssh/pve1=", "kubeconfig=");
        assertThat(answer.err()).contains("ssh -F " + dir.resolve("second/ssh_config") + " pve1 lspci")
                .containsPattern("root@pam, password [a-z0-9]{16}\n")
                .containsPattern("anna@pam, password [a-z0-9]{16}, second factor \\(TOTP\\) [A-Z2-7]{32}\n")
                .containsPattern("ssh     root, password [a-z0-9]{16}\n");
        assertThat(dir.resolve("second/site.json")).exists();
        assertThat(dir.resolve("second/kubeconfig")).exists();
    }
}
