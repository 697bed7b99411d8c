package dev.pitwall.ui.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.site.Hop;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.Site;
import dev.pitwall.ui.OneWindow;
import dev.pitwall.ui.PatientRobot;
import dev.pitwall.ui.SampleRest;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.UiDependencies;
import dev.pitwall.ui.UiThread;
import dev.pitwall.ui.Workbench;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.shell.ShellModel;
import dev.pitwall.ui.theme.Appearance;
import dev.pitwall.ui.theme.Fonts;
import dev.pitwall.ui.theme.ThemeChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.Labeled;
import javafx.scene.control.TextInputControl;
import javafx.scene.input.KeyCode;
import javafx.scene.text.Text;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;

/** Drives the real dialog in the real window against the practice lab's sockets. */
@OneWindow
class ConnectWindowTest {

    @TempDir
    private static Path folder;
    private static LabConnect lab;

    private final PatientRobot robot = new PatientRobot();
    private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
    private UiThread ui;
    private Stage stage;
    private Appearance appearance;
    private Workbench bench;

    @BeforeAll
    static void start() throws Exception {
        lab = new LabConnect(folder);
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    @BeforeEach
    void open() throws Exception {
        lab.saved.clear();
        lab.kept.clear();
        lab.failing = Optional.empty();
        FxToolkit.registerPrimaryStage();
        ui = new UiThread();
        UiDependencies rest = new SampleRest(SampleSite.view()).dependencies();
        robot.interact(() -> {
            Fonts.load();
            appearance = new Appearance(ThemeChoice.SYSTEM);
            bench = new Workbench(ui, appearance, FilePicker.NOBODY);
            Scene scene = new Scene(bench.root(), 1000, 700);
            appearance.dress(scene);
            stage = new Stage();
            stage.setScene(scene);
            stage.show();
            stage.requestFocus();
            bench.attach(new UiDependencies(lab, lab.liveSites(), rest.journeys(), rest.engines(), rest.doctors(), rest.lab(), rest.preferences(), rest.siteFile(),
                    Optional.empty(), thread -> new SiteConnectDialog(thread, lab.reach(), lab.kubeconfigs(), lab.typed,
                    lab, background), rest.factors(), rest.about(), rest.clock(), background, () -> { }));
        });
        robot.interact(() -> bench.addSite());
        await().until(() -> !field("name").getText().isEmpty());
    }

    @AfterEach
    void close() {
        robot.interact(() -> {
            bench.close();
            appearance.close();
            stage.hide();
        });
        ui.close();
        background.close();
    }

    @Test
    void aSiteIsPutTogetherTestedSavedAndShowsItsCards() {
        type("name", "basement");
        trustedProxmox();
        press("SSH");
        addShell("pve1", "pve1");
        press("Test pve1");
        await().until(() -> shown("Trust pve1 and go on"));
        type("paste", "256 " + lab.shell("pve1").path("hostKey").asText() + " root@pve1 (ED25519)");
        await().until(() -> shown("all 32 bytes equal"));
        press("Trust pve1 and go on");
        await().until(() -> shown("root, 1 key pinned"));
        press("Cluster");
        await().until(() -> shown("KUBECONFIG"));
        press("KUBECONFIG");
        await().until(() -> enabled("Test " + lab.site.path("cluster").path("context").asText()));
        fire("act");
        await().until(() -> shown("Save site"));
        fire("act");
        await().until(() -> lab.saved.size() == 1);
        Site saved = lab.saved.getFirst();
        assertThat(saved.name()).isEqualTo("basement");
        assertThat(saved.proxmox()).singleElement().satisfies(access -> {
            assertThat(access.fingerprint()).contains(lab.pve1().path("fingerprint").asText());
            assertThat(access.name()).isEqualTo("pve1");
        });
        assertThat(saved.shells()).singleElement().satisfies(access ->
                assertThat(access.hostKey()).contains(lab.shell("pve1").path("hostKey").asText()));
        assertThat(lab.kept).hasSize(1).allSatisfy((ref, secret) -> {
            assertThat(ref.key()).startsWith(saved.id() + "/");
            assertThat(secret).isEqualTo(lab.pve1().path("secret").asText());
        });
        await().until(() -> bench.desk().shell().phaseProperty().get() == ShellModel.Phase.SITE);
        await().until(() -> robot.lookup(".tower").queryAll().stream()
                .filter(Node::isVisible).count() == 3);
    }

    @Test
    void aClosedPortSaysWhereAndWhatNextAndNothingIsLost() {
        proxmox("https://127.0.0.1:1", lab.pve1().path("secret").asText());
        fire("act");
        await().until(() -> words().contains("Connection refused: pveproxy does not listen."));
        assertThat(words()).contains("systemctl status pveproxy");
        assertThat(field("address").getText()).isEqualTo("https://127.0.0.1:1");
        assertThat(field("connect-secret").getText()).isEqualTo(lab.pve1().path("secret").asText());
        await().untilAsserted(() -> assertThat(shown("Save without it")).isTrue());
        assertThat(robot.lookup("#without").queryAs(Button.class).isDisabled()).as("nothing is connected").isTrue();
    }

    @Test
    void aWrongSecretIsRefusedAfterTheCertificateIsTrusted() {
        proxmox(lab.pve1().path("url").asText(), "00000000-0000-0000-0000-000000000000");
        fire("act");
        compareAndTrust();
        await().until(() -> words().contains("The sign-in was refused"));
        assertThat(state("Certificate")).isEqualTo(Hop.State.OK);
        type("connect-secret", lab.pve1().path("secret").asText());
        fire("act");
        await().until(() -> state("Rights") == Hop.State.OK);
    }

    @Test
    void anotherFingerprintCannotBeTrustedAndItsBytesAreNamed() {
        proxmox(lab.pve1().path("url").asText(), "secret");
        fire("act");
        await().until(() -> shown("Is this really pve1?"));
        String right = lab.pve1().path("fingerprint").asText();
        String wrong = (right.startsWith("00") ? "11" : "00") + right.substring(2);
        type("paste", wrong);
        await().until(() -> shown("differs at byte 1"));
        await().untilAsserted(() -> assertThat(robot.lookup("#act").queryAs(Button.class).isDisabled()).isTrue());
        assertThat(robot.lookup("#act").queryAs(Button.class).getAccessibleHelp())
                .isEqualTo("The fingerprints differ: this may not be your host.");
    }

    @Test
    void aBrokenKubeconfigIsSaidWithItsLineAndTheRestStaysUsable() throws Exception {
        Path broken = Files.writeString(folder.resolve("broken.yaml"), "apiVersion: v1\nclusters:\n  - name: [x\n");
        press("Cluster");
        type("files", broken.toString());
        await().until(() -> texts().stream().anyMatch(t -> t.contains("broken.yaml") && t.contains("line")));
        await().untilAsserted(() -> assertThat(robot.lookup("#act").queryAs(Button.class).isDisabled()).isTrue());
        type("files", lab.lab.kubeconfig().toString());
        await().until(() -> enabled("Test " + lab.site.path("cluster").path("context").asText()));
    }

    @Test
    void escapeAsksOnceBeforeWhatWasTypedIsLost() {
        type("address", "https://pve1.lan:8006");
        robot.push(KeyCode.ESCAPE);
        await().untilAsserted(() -> assertThat(shown("Discard this site?")).isTrue());
        robot.push(KeyCode.ESCAPE);
        assertThat(shown("Discard this site?")).isFalse();
        assertThat(field("address").getText()).isEqualTo("https://pve1.lan:8006");
        robot.push(KeyCode.ESCAPE);
        press("Discard");
        assertThat(robot.lookup(".connect").tryQuery()).isEmpty();
    }

    @Test
    void anUntouchedDialogClosesWithoutAQuestion() {
        robot.push(KeyCode.ESCAPE);
        assertThat(robot.lookup(".connect").tryQuery()).isEmpty();
    }

    @Test
    void aKeyringThatRefusesKeepsTheDialogAndSaysWhy() {
        trustedProxmox();
        lab.failing = Optional.of(new Trouble(Trouble.Kind.RIGHTS, "OS keyring", "it is locked", "Unlock it."));
        fire("act");
        await().until(() -> shown("OS keyring: it is locked"));
        await().untilAsserted(() -> assertThat(shown("Unlock it.")).isTrue());
        assertThat(lab.saved).isEmpty();
        lab.failing = Optional.empty();
        fire("act");
        await().until(() -> lab.saved.size() == 1);
    }

    @Test
    void aSavedSiteIsEditedWithoutTypingItsSecretAgainAndRemoved() {
        trustedProxmox();
        fire("act");
        await().until(() -> lab.saved.size() == 1);
        Site before = lab.saved.getFirst();
        robot.interact(() -> bench.editSite(before));
        assertThat(field("address").getText()).isEqualTo(before.proxmox().getFirst().url().toString());
        assertThat(field("connect-secret").getText()).isEmpty();
        type("name", "cellar");
        fire("again");
        await().until(() -> state("Rights") == Hop.State.OK);
        press("Save changes");
        await().until(() -> lab.saved.getFirst().name().equals("cellar"));
        assertThat(lab.saved.getFirst().proxmox()).isEqualTo(before.proxmox());
        robot.interact(() -> bench.editSite(lab.saved.getFirst()));
        press("Remove site…");
        await().untilAsserted(() -> assertThat(shown("Remove cellar?")).isTrue());
        press("Remove cellar");
        await().until(() -> lab.saved.isEmpty());
        await().until(() -> bench.desk().shell().phaseProperty().get() == ShellModel.Phase.FIRST_RUN);
    }

    @Test
    void aChangedCertificateStopsEverythingUntilItIsComparedAgain() {
        trustedProxmox();
        fire("act");
        await().until(() -> lab.saved.size() == 1);
        Site before = lab.saved.getFirst();
        var access = before.proxmox().getFirst();
        Site changed = new Site(before.id(), before.name(), List.of(new ProxmoxAccess(access.name(),
                access.url(), access.login(), Optional.of("00".repeat(31).replaceAll("(..)", "$1:") + "00"))),
                before.shells(), before.cluster(), before.metrics(), before.servers(), false);
        robot.interact(() -> bench.editSite(changed));
        fire("again");
        await().until(() -> words().contains("Its certificate has changed"));
        assertThat(shown("It shows another identity than the one you trusted. Compare again; nothing secret was sent."))
                .isTrue();
        compareAndTrust();
        await().until(() -> state("Rights") == Hop.State.OK);
    }

    private void trustedProxmox() {
        proxmox(lab.pve1().path("url").asText(), lab.pve1().path("secret").asText());
        fire("act");
        compareAndTrust();
        await().until(() -> state("Rights") == Hop.State.OK && shown("Save site"));
    }

    private void proxmox(String url, String secret) {
        type("address", url);
        type("who", lab.pve1().path("token").asText());
        type("connect-secret", secret);
    }

    private void compareAndTrust() {
        await().until(() -> shown("Trust pve1 and go on"));
        await().untilAsserted(() -> assertThat(robot.lookup("#act").queryAs(Button.class).isDisabled()).isTrue());
        type("paste", lab.console());
        await().until(() -> enabled("Trust pve1 and go on"));
        fire("act");
    }

    private void addShell(String name, String machine) {
        JsonNode entry = lab.shell(machine);
        robot.interact(() -> {
            text("login-user").setText(entry.path("user").asText());
            text("login-key").setText(lab.lab.dir().resolve(entry.path("keyFile").asText()).toString());
        });
        press("Add a machine");
        robot.interact(() -> {
            all(".connect-machine #name").setText(name);
            all("#host").setText("127.0.0.1");
            all("#port").setText(Integer.toString(entry.path("port").asInt()));
        });
    }

    private TextInputControl all(String query) {
        return robot.lookup(query).queryAs(TextInputControl.class);
    }

    private TextInputControl text(String id) {
        return robot.lookup("#" + id).queryAs(TextInputControl.class);
    }

    private void type(String id, String text) {
        robot.interact(() -> field(id).setText(text));
    }

    private TextInputControl field(String id) {
        return robot.lookup("#" + id).queryAs(TextInputControl.class);
    }

    private void fire(String id) {
        robot.interact(() -> robot.lookup("#" + id).queryAs(Button.class).fire());
    }

    private void press(String text) {
        robot.clickOn((Node n) -> n.isVisible() && n instanceof Labeled l && text.equals(l.getText()));
    }

    private boolean shown(String text) {
        return texts().contains(text);
    }

    private boolean enabled(String button) {
        return onUi(() -> robot.lookup((Node n) -> n instanceof Button b && b.getText().equals(button) && !b.isDisabled())
                .tryQuery().isPresent());
    }

    private List<String> texts() {
        return onUi(() -> robot.lookup((Node n) -> n instanceof Labeled && reallyVisible(n))
                .queryAllAs(Labeled.class).stream().map(Labeled::getText).toList());
    }

    private static boolean reallyVisible(Node node) {
        for (Node n = node; n != null; n = n.getParent()) {
            if (!n.isVisible()) {
                return false;
            }
        }
        return true;
    }

    /** Everything that the hops say. */
    private String words() {
        return onUi(() -> String.join("", robot.lookup(".connect-hop-text .text, .connect-hop-text Text")
                .queryAllAs(Text.class).stream().map(Text::getText).toList())
                + String.join("", robot.lookup((Node n) -> n instanceof Text t && t.getStyleClass().stream()
                        .anyMatch(s -> s.startsWith("connect-hop"))).queryAllAs(Text.class).stream()
                        .map(Text::getText).toList()));
    }

    private Hop.State state(String hop) {
        return onUi(() -> robot.lookup(".connect-hop").queryAll().stream()
                .filter(n -> n.getAccessibleText().startsWith(hop + ", "))
                .map(n -> n.getAccessibleText().substring(hop.length() + 2).split(":")[0])
                .map(s -> Hop.State.valueOf(s.toUpperCase().replace(' ', '_'))).findFirst().orElse(Hop.State.TO_DO));
    }

    private <T> T onUi(Callable<T> action) {
        CompletableFuture<T> got = new CompletableFuture<>();
        robot.interact(() -> {
            try {
                got.complete(action.call());
            } catch (Exception e) {
                got.completeExceptionally(e);
            }
        });
        return got.join();
    }
}
