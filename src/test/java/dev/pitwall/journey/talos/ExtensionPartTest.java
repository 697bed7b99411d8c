package dev.pitwall.journey.talos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Talos.Service;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.survey.TalosShowing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExtensionPartTest {
    private final TalosScene scene = new TalosScene();

    private static TalosUpgrade upgrade(Answer answer) {
        return answer.intended().stream().filter(TalosUpgrade.class::isInstance).map(TalosUpgrade.class::cast).findFirst()
                .orElseThrow();
    }

    private static TalosConfigChange config(Answer answer) {
        return answer.intended().stream().filter(TalosConfigChange.class::isInstance).map(TalosConfigChange.class::cast)
                .findFirst().orElseThrow();
    }

    @Test
    void aNodeWithoutExtensionsGetsAnImageWithThemAndItsModulesNamed() {
        scene.with(Schematic.parse("customization: {extraKernelArgs: ['console=ttyS0'], systemExtensions: {officialExtensions: ["
                + TalosScene.QEMU + "]}}").orElseThrow());

        Answer answer = scene.driverStep();

        assertThat(answer.state()).isEqualTo(State.READY);
        TalosUpgrade upgrade = upgrade(answer);
        Schematic wanted = Schematic.parse(upgrade.after().content()).orElseThrow();
        assertThat(wanted.extensions()).containsExactly("siderolabs/nvidia-container-toolkit-production",
                "siderolabs/nvidia-open-gpu-kernel-modules-production", TalosScene.QEMU);
        assertThat(wanted.kernelArguments()).containsExactly("console=ttyS0");
        assertThat(upgrade.after().reference()).isEqualTo(scene.reference(wanted));
        assertThat(upgrade.before().reference()).isEqualTo(scene.reference(scene.schematic.orElseThrow()));
        assertThat(config(answer).after().toString()).isEqualTo("{\"machine\":{\"kernel\":{\"modules\":[{\"name\":\"nvidia\"},"
                + "{\"name\":\"nvidia_uvm\"},{\"name\":\"nvidia_drm\"},{\"name\":\"nvidia_modeset\"}]},\"install\":{\"image\":\""
                + scene.reference(wanted) + "\"}}}");
        assertThat(answer.notes()).anyMatch(n -> n.contains("console=ttyS0")).anyMatch(n -> n.contains("may not set its own"));
    }

    @Test
    void modulesThatAreNamedStayAndOnlyTheOthersAreAdded() {
        scene.done();
        scene.config = scene.config.replace("{name: nvidia}, {name: nvidia_uvm}", "{name: zfs, parameters: [a=1]}, {name: nvidia}");

        Answer answer = scene.driverStep();

        assertThat(answer.changes()).hasSize(1);
        assertThat(config(answer).after().at("/machine/kernel/modules").toString()).startsWith(
                "[{\"name\":\"zfs\",\"parameters\":[\"a=1\"]},{\"name\":\"nvidia\"}").endsWith("{\"name\":\"nvidia_uvm\"}]");
    }

    @Test
    void aCardThatHasItsDriverIsDone() {
        assertThat(scene.done().driverStep().state()).isEqualTo(State.DONE);
        assertThat(scene.driverStep().changes()).isEmpty();
    }

    @Test
    void untilTheCardIsInTheNodeTheChangesAreForeseen() {
        List<?> changes = scene.driverStep().changes();
        scene.inNode = false;

        Answer answer = scene.driverStep();

        assertThat(answer.state()).isEqualTo(State.WAITING);
        assertThat(answer.foreseen()).isEqualTo(changes);
        assertThat(answer.coming()).isEmpty();
    }

    @Test
    void whatLoadsIsWaitedForAndWhatTheKernelRefusesIsSaid() {
        scene.done().driver = Optional.empty();
        scene.modules = Set.of();
        assertThat(scene.driverStep().coming()).isPresent();

        scene.kernelLog = "kern: info: [2026-11-30T10:00:00Z]: NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:1b80)\n"
                + "kern: info: [2026-11-30T10:00:00Z]: NVRM: No NVIDIA GPU found.\n";
        Answer answer = scene.driverStep();

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("NVRM: No NVIDIA GPU found");
    }

    @Test
    void aCardThatNoDriverOfTheReleaseDrivesIsRefusedWithTheReleasesThatDo() {
        scene.version = "v1.9.6";
        scene.card = "GB202 [GeForce RTX 5090]";
        assertThat(scene.driverStep().why()).contains("no driver of Talos v1.9.6 drives Blackwell", "1.10, 1.11, 1.12, 1.13, 1.14");

        scene.card = "GK210GL [Tesla K80]";
        assertThat(scene.driverStep().why()).contains("no other release");
        assertThat(scene.driverStep().state()).isEqualTo(State.BLOCKED);
    }

    @Test
    void theLineOfDriversIsChosenAndTheInstalledOneIsKept() {
        scene.with(Schematic.empty().with(List.of("siderolabs/nvidia-open-gpu-kernel-modules-lts",
                "siderolabs/nvidia-container-toolkit-lts")));
        Question tier = scene.driverStep().questions().stream().filter(q -> q.key().equals("tier")).findFirst().orElseThrow();
        assertThat(tier.chosen()).isEqualTo("lts");
        assertThat(tier.options()).extracting(Answer.Option::value).containsExactly("production", "lts");
        assertThat(scene.driverStep().intended()).noneMatch(TalosUpgrade.class::isInstance);

        scene.choices.putAll(Map.of("tier", "production"));
        assertThat(upgrade(scene.driverStep()).after().content()).contains("toolkit-production").doesNotContain("-lts");
    }

    @Test
    void whatTheImageIsMadeOfHasToBeKnown() {
        scene.content = Optional.empty();
        assertThat(scene.driverStep().state()).isEqualTo(State.BLOCKED);
        assertThat(scene.driverStep().why()).contains("is not of the Image Factory");

        scene.unread.put(TalosShowing.SCHEMATIC.key(), new Trouble(Trouble.Kind.CONNECT, "factory", "connection refused", "Try."));
        assertThat(scene.driverStep().state()).isEqualTo(State.UNKNOWN);
        scene.unread.clear();
        scene.content = Optional.of("customization: {embeddedMachineConfiguration: 'token: abc'}");
        assertThat(scene.driverStep().why()).contains("secrets in it").doesNotContain("abc");
    }

    @Test
    void aReaderIsToldThatItMayNotReadTheConfiguration() {
        scene.unread.put(TalosShowing.CONFIG.key(), new Trouble(Trouble.Kind.RIGHTS, "w1", "the role does not allow this",
                "Use os:admin."));

        assertThat(scene.driverStep().state()).isEqualTo(State.UNKNOWN);
        assertThat(scene.driverStep().notes()).containsExactly("Use os:admin.");
    }

    @Test
    void anExtensionThatTheFactoryHasNotIsFoundOutBeforeThePost() {
        scene.offered = Set.of(TalosScene.QEMU);

        assertThat(scene.driverStep().state()).isEqualTo(State.BLOCKED);
        assertThat(scene.driverStep().why()).contains("has no siderolabs/nvidia");
    }

    @Test
    void aPlainImageHasNoExtensionsAndSecureBootItsOwnInstaller() {
        scene.schematic = Optional.empty();
        scene.content = Optional.empty();
        scene.secureBoot = true;

        TalosUpgrade upgrade = upgrade(scene.driverStep());

        assertThat(upgrade.before().reference()).isEqualTo("ghcr.io/siderolabs/installer:v1.13.9");
        assertThat(upgrade.after().reference()).startsWith("factory.talos.dev/nocloud-installer-secureboot/");
    }

    @Test
    void before113TheToolkitNeedsAKernelSettingAndFrom113ItsServiceWritesTheDescription() {
        assertThat(scene.runtimeStep().state()).isEqualTo(State.WAITING);
        scene.done();
        assertThat(scene.runtimeStep().coming()).isPresent();
        scene.services = List.of(new Service("ext-nvidia-cdi-gen", "Finished", "ok"));
        assertThat(scene.runtimeStep().state()).isEqualTo(State.DONE);

        scene.version = "v1.12.4";
        Answer answer = scene.runtimeStep();
        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(config(answer).after().at("/machine/sysctls/net.core.bpf_jit_harden").asText()).isEqualTo("1");
        scene.config = scene.config.replace("sysctls: null", "sysctls: {net.core.bpf_jit_harden: 1}");
        assertThat(scene.runtimeStep().state()).isEqualTo(State.DONE);
    }

    @Test
    void theCommandsThatDoTheSameByHandAddAndTakeAwayTheSame() {
        Answer answer = scene.driverStep();
        TalosUpgrade upgrade = upgrade(answer);
        TalosConfigChange config = config(answer);

        assertThat(TalosCommands.of(upgrade)).contains("https://factory.talos.dev/schematics", upgrade.after().schematic(),
                "talosctl -n 10.0.0.7 upgrade --drain=false --image " + upgrade.after().reference());
        assertThat(TalosCommands.of(config)).contains("- name: nvidia_modeset", "--mode=no-reboot");
        assertThat(TalosCommands.of(config.inverse())).contains("\"op\" : \"remove\"", "\"path\" : \"/machine/kernel/modules\"",
                "\"path\" : \"/machine/install/image\"");
        assertThat(config.with(config.inverse())).isEmpty();
        assertThat(upgrade.with(upgrade.inverse())).isEmpty();
        assertThat(answer.changes().stream().map(c -> c.risk().wireName()).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("drains-node", "none");
    }
}
