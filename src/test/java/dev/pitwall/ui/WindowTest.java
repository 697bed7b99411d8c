package dev.pitwall.ui;

import static dev.pitwall.ui.TestWindow.await;
import static org.assertj.core.api.Assertions.assertThat;

import atlantafx.base.controls.Notification;
import dev.pitwall.card.Trouble;
import dev.pitwall.site.Site;
import dev.pitwall.ui.firstrun.FilePicker;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.ShellModel;
import dev.pitwall.ui.theme.Theme;
import dev.pitwall.ui.theme.ThemeChoice;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.input.Clipboard;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.Region;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drives the real window, on JavaFX's headless platform. */
@OneWindow
class WindowTest {

    private final SampleRest rest = new SampleRest(SampleSite.view());
    private TestWindow window;
    private PatientRobot robot;

    @BeforeEach
    void open() throws Exception {
        window = TestWindow.open(ThemeChoice.SYSTEM, FilePicker.NOBODY);
        robot = window.robot();
    }

    @AfterEach
    void close() {
        window.close();
    }

    @Test
    void withoutASiteItAsksTheFirstQuestionAndTheRailIsDisabled() {
        attach();
        await().untilAsserted(() -> assertThat(window.text("From the PCIe slot to a served token")).isNotEmpty());
        assertThat(robot.lookup(".rail-item").queryAll().stream().filter(Node::isDisabled)).hasSize(6);
        robot.clickOn("Start the practice lab");
        await().until(() -> phase() == ShellModel.Phase.SITE);
        await().untilAsserted(() -> assertThat(rest.asked).contains("lab garage"));
        await().untilAsserted(() -> assertThat(window.text("Practice lab")).isNotEmpty());
    }

    @Test
    void theKeyboardStartsAtTheFirstDecision() {
        attach();
        await().until(() -> phase() == ShellModel.Phase.FIRST_RUN);
        Node start = robot.lookup("Start the practice lab").query();
        await().untilAsserted(() -> assertThat(window.stage().getScene().getFocusOwner()).isIn(start, start.getParent()));
    }

    @Test
    void theKeyboardComesBackToTheTowersWithTheirPage() {
        openSite();
        robot.push(KeyCode.CONTROL, KeyCode.DIGIT2).push(KeyCode.CONTROL, KeyCode.DIGIT1);
        theKeyboardIsOnTheWall();
        Node first = cursor();
        robot.push(KeyCode.DOWN).push(KeyCode.UP).push(KeyCode.UP);
        await().until(() -> cursor() != first);
        robot.clickOn("Garage");
        theKeyboardIsOnTheWall();
        robot.clickOn("Settings").push(KeyCode.CONTROL, KeyCode.DIGIT1);
        theKeyboardIsOnTheWall();
        await().untilAsserted(() -> assertThat(page()).isEqualTo(Page.GARAGE));
    }

    @Test
    void theKeyboardIsOnTheTowersAsSoonAsThereAreAny() {
        rest.push(SampleSite.view(List.of()));
        rest.saved.add(SampleSite.SITE);
        attach();
        await().until(() -> phase() == ShellModel.Phase.SITE);
        rest.push(SampleSite.view());
        await().until(() -> !towers().isEmpty());
        theKeyboardIsOnTheWall();
    }

    @Test
    void theKeyboardIsInThePageAgainAfterTheSiteMenu() {
        openSite();
        robot.clickOn(".site-menu").push(KeyCode.ESCAPE);
        theKeyboardIsOnTheWall();
    }

    @Test
    void escapeGoesBackToTheFloorThatOpenedThePage() {
        openSite();
        robot.clickOn("Failing");
        await().until(() -> towers().size() == 1);
        focusWall();
        robot.push(KeyCode.DOWN).push(KeyCode.UP).push(KeyCode.ENTER);
        await().untilAsserted(() -> assertThat(page()).isEqualTo(Page.DOCTOR));
        robot.push(KeyCode.ESCAPE);
        await().untilAsserted(() -> assertThat(page()).isEqualTo(Page.GARAGE));
        await().until(() -> !window.text("pve3 · plugin").isEmpty());
        theKeyboardIsOnTheWall();
    }

    @Test
    void aLabThatDoesNotStartSaysWhyInPlace() {
        rest.failLab(new Trouble(Trouble.Kind.CONNECT, "127.0.0.1", "no free port", "Close the other lab."));
        attach();
        robot.clickOn("Start the practice lab");
        await().until(() -> !window.text("127.0.0.1: no free port").isEmpty());
        await().untilAsserted(() -> assertThat(window.text("Close the other lab.")).isNotEmpty());
        assertThat(phase()).isEqualTo(ShellModel.Phase.FIRST_RUN);
    }

    @Test
    void ownHostsLeadToTheConnectDialog() {
        attach();
        robot.clickOn("My own hosts").clickOn("Add a site");
        await().untilAsserted(() -> assertThat(rest.asked).contains("add site"));
    }

    @Test
    void theRailAndItsKeysGoToEveryPage() {
        openSite();
        robot.clickOn("Journal");
        await().untilAsserted(() -> assertThat(page()).isEqualTo(Page.JOURNAL));
        await().untilAsserted(() -> assertThat(window.text("No run yet")).isNotEmpty());
        KeyCode[] digits = {KeyCode.DIGIT1, KeyCode.DIGIT2, KeyCode.DIGIT3, KeyCode.DIGIT4, KeyCode.DIGIT5,
            KeyCode.DIGIT6};
        for (int i = 0; i < digits.length; i++) {
            robot.push(KeyCode.CONTROL, digits[i]);
            Page wanted = Page.values()[i];
            await().untilAsserted(() -> assertThat(page()).isEqualTo(wanted));
        }
        robot.clickOn("Settings");
        await().untilAsserted(() -> assertThat(page()).isEqualTo(Page.SETTINGS));
    }

    @Test
    void aFilterShowsOnlyItsCards() {
        openSite();
        robot.clickOn("Failing");
        await().until(() -> towers().size() == 1);
        await().untilAsserted(() -> assertThat(window.text("Plugin failing")).isNotEmpty());
        robot.clickOn("All");
        await().until(() -> towers().size() > 1);
    }

    @Test
    void theKeyboardWalksOverFloorsAndCardsAndEnterOpensTheFinding() {
        openSite();
        robot.clickOn("Failing");
        await().until(() -> towers().size() == 1);
        focusWall();
        robot.push(KeyCode.DOWN).push(KeyCode.UP);
        await().until(() -> !window.text("pve3 · plugin").isEmpty());
        await().untilAsserted(() -> assertThat(window.text("read 1 s ago")).isNotEmpty());
        robot.push(KeyCode.ENTER);
        await().untilAsserted(() -> assertThat(page()).isEqualTo(Page.DOCTOR));
        await().until(() -> window.shows("device-plugin-missing-toleration"));
        assertThat(window.text("plugin · pve3, RTX A1000, 0000:01:00.0").size() + window.text("plugin · pve3, RTX A1000, 0000:01:00").size())
                .isPositive();
        robot.push(KeyCode.ESCAPE);
        await().untilAsserted(() -> assertThat(page()).isEqualTo(Page.GARAGE));
    }

    @Test
    void retryAsksTheSilentHostAgain() {
        openSite();
        robot.clickOn("Unknown");
        await().until(() -> towers().size() == 1);
        robot.clickOn("Retry now");
        await().untilAsserted(() -> assertThat(rest.asked).contains("PROXMOX pve4"));
    }

    @Test
    void f5ReadsEverythingAgain() {
        openSite();
        robot.push(KeyCode.F5);
        await().untilAsserted(() -> assertThat(rest.asked).contains("all"));
        assertThat(robot.lookup(".notification").queryAllAs(Notification.class)).extracting(Notification::getMessage)
                .containsExactly("Reading all of basement again");
    }

    @Test
    void theSearchFindsACardAndEscapeGivesTheKeyboardBack() {
        openSite();
        robot.push(KeyCode.CONTROL, KeyCode.K);
        await().until(() -> robot.lookup(".palette").tryQuery().isPresent());
        robot.write("4090").push(KeyCode.ENTER);
        await().untilAsserted(() -> assertThat(robot.lookup(".palette").tryQuery()).isEmpty());
        await().until(() -> !window.text("pve4 · firmware").isEmpty());
        robot.push(KeyCode.CONTROL, KeyCode.K).push(KeyCode.ESCAPE);
        await().untilAsserted(() -> assertThat(robot.lookup(".palette").tryQuery()).isEmpty());
    }

    @Test
    void theSearchChangesTheThemeAndThatIsKept() {
        openSite();
        robot.push(KeyCode.CONTROL, KeyCode.K).write("theme light").push(KeyCode.ENTER);
        assertThat(window.appearance().themeProperty().get()).isEqualTo(Theme.LIGHT);
        assertThat(rest.kept).containsEntry("theme", ThemeChoice.LIGHT.name());
        robot.clickOn("Settings").clickOn("Dark");
        assertThat(window.appearance().themeProperty().get()).isEqualTo(Theme.DARK);
    }

    @Test
    void compactRowsAreLower() {
        openSite();
        robot.clickOn("Settings").clickOn("Compact").clickOn("Garage");
        await().until(() -> robot.lookup(".floor").queryAll().stream().filter(f -> f.getParent().isVisible())
                .allMatch(f -> ((Region) f).getHeight() == 24));
    }

    @Test
    void aNewViewIsDrawnIntoTheSameRows() {
        openSite();
        await().until(() -> towers().size() >= 4 && robot.lookup(".floor").queryAll().size() >= 40);
        Set<Node> before = Set.copyOf(robot.lookup(".floor").queryAll());
        rest.push(SampleSite.view(SampleSite.view().cards().stream()
                .map(c -> c.host().equals("pve1") ? SampleSite.moved(SampleSite.pluginFailing(), "pve1", "0000:01:00") : c)
                .toList()));
        await().until(() -> window.text("Plugin failing").size() == 2);
        // A tower that was still growing may have got more rows meanwhile; none may have been replaced.
        assertThat(Set.copyOf(robot.lookup(".floor").queryAll())).containsAll(before);
    }

    @Test
    void aCardsIdCanBeCopied() {
        openSite();
        robot.clickOn("Failing");
        await().until(() -> towers().size() == 1);
        focusWall();
        robot.push(KeyCode.UP).push(KeyCode.C);
        robot.interact(() -> assertThat(Clipboard.getSystemClipboard().getString()).isEqualTo("pve3/0000:01:00"));
    }

    @Test
    void theReadingsOfAFloorOpenBesideIt() {
        openSite();
        robot.clickOn("Failing");
        await().until(() -> towers().size() == 1);
        focusWall();
        robot.push(KeyCode.UP).push(KeyCode.DOWN).push(KeyCode.SPACE);
        await().until(() -> robot.lookup(".readings").tryQuery().isPresent());
        await().untilAsserted(() -> assertThat(window.text("nvidia.com/gpu=true:NoSchedule")).isNotEmpty());
        robot.push(KeyCode.ESCAPE);
        await().until(() -> robot.lookup(".readings").tryQuery().isEmpty());
    }

    @Test
    void sixtyFourCardsAreOnlyAsManyNodesAsAreInSight() {
        rest.push(SampleSite.view(SampleSite.fleet(64)));
        openSite();
        await().until(() -> towers().size() >= 4);
        assertThat(towers().size()).isLessThanOrEqualTo(8);
        focusWall();
        robot.push(KeyCode.END);
        await().until(() -> !window.text("pve32 · firmware").isEmpty() && !towers().isEmpty());
        assertThat(robot.lookup(".tower").queryAll()).hasSizeLessThanOrEqualTo(16);
    }

    @Test
    void closingTheSiteGoesBackToTheFirstQuestion() {
        openSite();
        robot.push(KeyCode.CONTROL, KeyCode.K).write("disconnect").push(KeyCode.ENTER);
        assertThat(phase()).isEqualTo(ShellModel.Phase.FIRST_RUN);
        await().untilAsserted(() -> assertThat(window.text("From the PCIe slot to a served token")).isNotEmpty());
    }

    @Test
    void aLabIsBrokenAndHealedFromItsBadge() {
        attach();
        robot.clickOn("Start the practice lab");
        await().until(() -> phase() == ShellModel.Phase.SITE);
        robot.clickOn(".lab-badge").clickOn("Break something…");
        await().until(() -> robot.lookup(".palette").tryQuery().isPresent());
        robot.write("cordon").push(KeyCode.ENTER);
        await().until(() -> rest.asked.contains("break node-cordoned"));
        robot.clickOn(".lab-badge").clickOn("Break something…");
        await().until(() -> robot.lookup(".palette").tryQuery().isPresent());
        robot.write("iommu").push(KeyCode.ENTER);
        await().until(() -> robot.lookup("pve2/0000:01:00").tryQuery().isPresent());
        robot.write("pve2").push(KeyCode.ENTER);
        await().until(() -> rest.asked.contains("break iommu-off on pve2/0000:01:00"));
        robot.clickOn(".lab-badge").clickOn("Heal all");
        await().until(() -> rest.asked.contains("repair node-cordoned"));
    }

    @Test
    void theArrowKeysOfTheFilterChooseWhatIsShown() {
        openSite();
        rest.push(SampleSite.view(List.of(SampleSite.up())));
        await().until(() -> towers().size() == 1);
        robot.clickOn("Waiting");
        await().until(() -> !window.text("No card is here under “Waiting”").isEmpty());
        robot.push(KeyCode.RIGHT);
        await().until(() -> !window.text("No card is here under “Failing”").isEmpty());
        robot.clickOn("Failing");
        await().untilAsserted(() -> assertThat(window.text("No card is here under “Failing”")).isNotEmpty());
    }

    @Test
    void aFailingFloorOpensItsFindingOnTheDoctorsPage() {
        openSite();
        robot.clickOn("Failing");
        await().until(() -> towers().size() == 1);
        robot.clickOn("Open in Doctor →");
        await().until(() -> page() == Page.DOCTOR && window.shows("device-plugin-missing-toleration"));
    }

    @Test
    void aSignInThatNeedsASecondFactorAsksInTheWindowOneAfterTheOther() {
        openSite();
        robot.push(KeyCode.CONTROL, KeyCode.K);
        CompletableFuture<Optional<String>> first = asks("root@pam at pve1");
        await().until(() -> robot.lookup(".palette").tryQuery().isPresent());
        robot.push(KeyCode.ESCAPE);
        await().until(() -> !window.text("root@pam at pve1 asks for a second factor").isEmpty());
        CompletableFuture<Optional<String>> second = asks("root@pam at pve2");
        robot.write("123456").clickOn("Sign in");
        assertThat(first.join()).contains("totp:123456");
        await().until(() -> !window.text("root@pam at pve2 asks for a second factor").isEmpty());
        robot.clickOn("Not now");
        assertThat(second.join()).isEmpty();
        CompletableFuture<Optional<String>> third = asks("root@pam at pve3");
        await().until(() -> !window.text("root@pam at pve3 asks for a second factor").isEmpty());
        robot.interact(window.bench()::close);
        assertThat(third.join()).isEmpty();
        assertThat(asks("root@pam at pve4").join()).isEmpty();
    }

    private CompletableFuture<Optional<String>> asks(String who) {
        return CompletableFuture.supplyAsync(() -> rest.factors.ask(who, List.of("totp", "recovery")),
                Thread.ofVirtual()::start);
    }

    @Test
    void theConnectionsListSaysWhatFailsAndRetries() {
        openSite();
        robot.clickOn(".dots");
        await().until(() -> !window.text("pve4:8006: no answer within 10 s").isEmpty());
        await().untilAsserted(() -> assertThat(window.text("asked again in 12 s")).isNotEmpty());
        robot.clickOn("Retry now");
        await().untilAsserted(() -> assertThat(rest.asked).contains("PROXMOX pve4"));
        robot.push(KeyCode.ESCAPE);
    }

    @Test
    void theDotsNeverReachTheSearch() {
        openSite();
        for (double width : new double[] {1440, 1300, 1200, 1000}) {
            robot.interact(() -> window.stage().setWidth(width));
            await().until(() -> window.stage().getScene().getWidth() == width);
            robot.interact(() -> {
                window.bench().root().applyCss();
                window.bench().root().layout();
                Node dots = robot.lookup(".dots").query();
                Node search = robot.lookup(".search-field").query();
                if (search.isVisible()) {
                    assertThat(dots.localToScene(dots.getBoundsInLocal()).getMinX())
                            .isGreaterThanOrEqualTo(search.localToScene(search.getBoundsInLocal()).getMaxX());
                }
            });
        }
    }

    private void attach() {
        robot.interact(() -> window.bench().attach(rest.dependencies()));
    }

    private void openSite() {
        rest.saved.addAll(List.of(SampleSite.SITE, new Site("upstairs-id", "upstairs", List.of(), List.of(),
                Optional.empty(), Optional.empty(), List.of(), false)));
        attach();
        await().until(() -> phase() == ShellModel.Phase.SITE && !towers().isEmpty());
    }

    private void focusWall() {
        robot.interact(() -> robot.lookup(".wall").query().requestFocus());
    }

    /** What a key or a click leads to is there a pulse later. */
    private void theKeyboardIsOnTheWall() {
        await().untilAsserted(() ->
                assertThat(window.stage().getScene().getFocusOwner()).isSameAs(robot.lookup(".wall").query()));
    }

    private Node cursor() {
        return await().until(() -> robot.lookup((Node n) -> n.getPseudoClassStates()
                .contains(PseudoClass.getPseudoClass("cursor"))).tryQuery(), Optional::isPresent).orElseThrow();
    }

    private ShellModel.Phase phase() {
        return window.bench().desk().shell().phaseProperty().get();
    }

    private Page page() {
        return window.bench().desk().shell().pageProperty().get();
    }

    private List<Node> towers() {
        return robot.lookup(".tower").queryAll().stream().filter(Node::isVisible).toList();
    }
}
