package dev.pitwall.journey.guest;

import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.survey.TalosNode;
import dev.pitwall.journey.survey.UnreadNode;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class GuestStepTest {
    private static final PciFunction GPU = Scene.function("0000:01:00.0", "0300", "10de:25b0", "");
    private static final PciFunction AUDIO = Scene.function("0000:01:00.1", "0403", "10de:2291", "");

    @Test
    void isDoneWhenTheGuestListsEveryFunction() {
        Answer answer = attached(GPU, AUDIO).look("guest");

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(answer.why()).isEqualTo("the guest lists 2 of 2 functions");
    }

    @Test
    void namesTheFunctionThatIsMissing() {
        Answer audioOnly = attached(AUDIO).look("guest");

        assertThat(audioOnly.state()).isEqualTo(State.BLOCKED);
        assertThat(audioOnly.why()).contains("does not list VGA compatible controller 10de:25b0");
        assertThat(attached().look("guest").why()).contains("lists nothing of it");
    }

    @Test
    void ofTwoEqualCardsBothMustBeThere() {
        Scene scene = attached(GPU, AUDIO).twin().set("hostpci1", "0000:02:00,pcie=1");

        assertThat(scene.look("guest").state()).isEqualTo(State.BLOCKED);
        scene.seenInside = Optional.of(List.of(GPU, AUDIO, GPU, AUDIO));
        assertThat(scene.look("guest").state()).isEqualTo(State.DONE);
    }

    @Test
    void aMappingOfTwoEqualCardsGivesOne() {
        Scene scene = attached(GPU, AUDIO).twin().mapping("pool", "node=pve1,path=0000:01:00,id=10de:25b0",
                "node=pve1,path=0000:02:00,id=10de:25b0").set("hostpci0", "mapping=pool,pcie=1");

        assertThat(scene.look("guest").state()).isEqualTo(State.DONE);
    }

    @Test
    void isUnknownWithAWayOutWhereNobodyCanLook() {
        Scene silent = attached();
        silent.seenInside = Optional.empty();
        silent.agent = Optional.of(false);
        Scene right = attached();
        right.seenInside = Optional.empty();
        right.agent = Optional.empty();
        assertThat(right.look("guest").state()).as("a right does not come by waiting").isEqualTo(State.UNKNOWN);
        assertThat(right.look("guest").why()).contains("VM.GuestAgent.Unrestricted");
        Scene none = attached().without("agent");
        none.seenInside = Optional.empty();
        none.agent = Optional.empty();

        Scene blind = attached();
        blind.seenInside = Optional.empty();

        assertThat(blind.look("guest").why()).contains("lspci cannot be run");
        assertThat(silent.look("guest").state()).isEqualTo(State.UNKNOWN);
        assertThat(silent.look("guest").why()).contains("does not answer");
        assertThat(none.look("guest").why()).contains("no guest agent is enabled");
        assertThat(none.look("guest").notes()).singleElement().asString().contains("qemu-guest-agent");
    }

    @Test
    void isWaitedForOnlyWhileSomebodyMayStillAnswer() {
        Scene starting = attached();
        starting.seenInside = Optional.empty();
        starting.agent = Optional.of(false);
        starting.uptimeSeconds = 20;
        assertThat(starting.look("guest").state()).isEqualTo(State.WAITING);
        assertThat(starting.look("guest").why()).contains("has just started");

        starting.agent = Optional.empty();
        assertThat(starting.look("guest").state()).as("no right to ask the agent").isEqualTo(State.UNKNOWN);
        starting.insideAnswered = false;
        assertThat(starting.look("guest").state()).as("its shell is silent").isEqualTo(State.WAITING);
        starting.agent = Optional.of(true);
        assertThat(starting.look("guest").state()).as("its agent answers and may not run lspci").isEqualTo(State.UNKNOWN);
        starting.agent = Optional.of(false);
        starting.uptimeSeconds = 301;
        assertThat(starting.look("guest").state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void aNodeWithoutAgentAndShellIsAskedByItsOwnApi() {
        Scene talos = attached();
        talos.seenInside = Optional.empty();
        talos.agent = Optional.empty();
        talos.node = Optional.of(new UnreadNode("talos-gpu", new Trouble(Trouble.Kind.CONNECT, "talos-gpu:50000",
                "connection refused", "Wait.")));
        talos.uptimeSeconds = 20;
        assertThat(talos.look("guest").state()).as("it has just started").isEqualTo(State.WAITING);
        talos.uptimeSeconds = 301;
        assertThat(talos.look("guest").state()).isEqualTo(State.UNKNOWN);

        talos.node = Optional.of(node(List.of(GPU, AUDIO)));
        assertThat(talos.look("guest").state()).isEqualTo(State.DONE);
        talos.node = Optional.of(node(List.of()));
        assertThat(talos.look("guest").state()).isEqualTo(State.BLOCKED);
    }

    private static TalosNode node(List<PciFunction> devices) {
        return new TalosNode("talos-gpu", "10.0.0.7", "v1.13.2", "nocloud", "amd64", true,
                new TalosNode.Image(Optional.empty(), Optional.empty()), List.of(), Set.of(), devices,
                new TalosNode.Security(false, false), List.of(), Optional.empty(), Set.of(), "", Map.of(), Map.of());
    }

    @Test
    void waitsUntilTheVmRunsWithTheCard() {
        Scene pending = attached(GPU);
        pending.live = Optional.of(new Scene().config);

        assertThat(pending.look("guest").state()).isEqualTo(State.WAITING);
        assertThat(attached(GPU, AUDIO).off().look("guest").state()).isEqualTo(State.WAITING);
    }

    private static Scene attached(PciFunction... listed) {
        Scene scene = new Scene().set("hostpci0", "0000:01:00,pcie=1");
        scene.seenInside = Optional.of(List.of(listed));
        return scene;
    }
}
