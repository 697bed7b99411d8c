package dev.pitwall.journey.export;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.lab.client.RealClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Playbooks are run by Ansible, on this machine, with stand-ins for Proxmox's commands. */
class AnsiblePlaybookTest {
    @TempDir
    private Path temp;
    private Path etc;
    private RealClient ansible;

    @BeforeEach
    void standIn() throws IOException {
        etc = ProxmoxStandIn.in(temp);
        ansible = RealClient.named("ansible-playbook", "--inventory", "pve1,", "--connection", "local",
                        "--extra-vars", "ansible_become=false ansible_python_interpreter=/usr/bin/python3")
                .with("PATH", temp.resolve("bin") + ":" + System.getenv("PATH")).with("LAB", temp.toString())
                .with("HOME", temp.toString()).with("ANSIBLE_LOCALHOST_WARNING", "false")
                .with("ANSIBLE_NOCOLOR", "1");
    }

    @Test
    void everyFormIsAPlaybook() throws IOException {
        for (CardPlan plan : Plans.all(etc)) {
            assertThat(ansible.run("--syntax-check", playbook(plan)).ok()).contains("playbook:");
        }
    }

    @Test
    void aCheckChangesNothingTheRunWritesExactBytesAndASecondRunChangesNothing() throws IOException {
        String playbook = playbook(files());

        ansible.run("--check", playbook).ok();
        assertThat(etc.resolve("grub.d")).doesNotExist();
        assertThat(Files.readString(etc.resolve("cmdline"))).isEqualTo("root=zfs\n");
        assertThat(ProxmoxStandIn.log(temp)).isEmpty();

        assertThat(ansible.run(playbook).ok()).contains("failed=0");
        assertThat(Files.readString(etc.resolve("grub.d/pitwall.cfg"))).isEqualTo(Plans.TRICKY);
        assertThat(Files.readAllBytes(etc.resolve("cmdline"))).containsExactly(0, 1, -1, 10, 39);
        assertThat(Files.readString(etc.resolve("binary"))).isEqualTo("no line end");
        assertThat(etc.resolve("old.conf")).doesNotExist();
        assertThat(ProxmoxStandIn.log(temp)).containsExactly("initramfs -u -k all");

        assertThat(ansible.run(playbook).ok()).contains("changed=0").contains("failed=0");
        assertThat(ProxmoxStandIn.log(temp)).hasSize(1);
    }

    @Test
    void whatHasChangedSinceStopsItBeforeAnythingIsWritten() throws IOException {
        Files.writeString(etc.resolve("old.conf"), "someone else\n");

        RealClient.Result result = ansible.run(playbook(files()));

        assertThat(result.exit()).isNotZero();
        assertThat(result.out()).contains("the plan's ground has changed");
        assertThat(etc.resolve("grub.d")).doesNotExist();
        assertThat(Files.readString(etc.resolve("cmdline"))).isEqualTo("root=zfs\n");
    }

    @Test
    void setsTheVmAndTheMappingsOnceAndPowerCyclesIt() throws IOException {
        String playbook = playbook(Plans.vm());
        ansible.run("--check", playbook).ok();
        assertThat(ProxmoxStandIn.log(temp)).noneMatch(AnsiblePlaybookTest::changes);

        ansible.run(playbook).ok();
        assertThat(Files.readAllLines(temp.resolve("122.conf"))).containsExactlyInAnyOrder("balloon: 0",
                "cpu: host,flags=+aes", "hostpci0: mapping=gpu-pve1-01-00,pcie=1", "hostpci10: 09:00");
        assertThat(new ObjectMapper().readTree(temp.resolve("mappings.json").toFile()).findValuesAsText("id"))
                .containsExactly("gpu-pve1-01-00", "old");

        int calls = ProxmoxStandIn.log(temp).size();
        assertThat(ansible.run(playbook).ok()).contains("changed=0");
        assertThat(ProxmoxStandIn.log(temp).subList(calls, ProxmoxStandIn.log(temp).size()))
                .noneMatch(AnsiblePlaybookTest::changes);
    }

    @Test
    void makesNewVmsOnceAndNeverTakesAnothersId() throws IOException {
        String playbook = playbook(Plans.creations());
        ansible.run(playbook).ok();
        ansible.run(playbook).ok();
        assertThat(ProxmoxStandIn.log(temp)).filteredOn(AnsiblePlaybookTest::changes)
                .filteredOn(line -> !line.startsWith("qm set")).hasSize(2);

        Files.writeString(temp.resolve("130.conf"), "smbios1: uuid=another\n");
        assertThat(ansible.run(playbook).out()).contains("the plan's ground has changed");
    }

    @Test
    void aPlanThatChangesNothingSaysSo() throws IOException {
        assertThat(new AnsibleExport().render(Plans.plan(List.of()))).contains("# Nothing is to be changed now.\n");
        ansible.run(playbook(Plans.plan(List.of()))).ok();
    }

    private static boolean changes(String call) {
        return call.matches("(qm (set|shutdown|start|clone|create)|pvesh (set|create)).*");
    }

    /** Without a reboot, which Ansible refuses on the machine that it runs on. */
    private CardPlan files() {
        return Plans.plan(List.of(List.of(
                new FileChange("pve1", etc + "/grub.d/pitwall.cfg", Content.ABSENT, Content.of(Plans.TRICKY), "new file"),
                new FileChange("pve1", etc + "/binary", Plans.BINARY, Content.of("no line end"), "other bytes"),
                new FileChange("pve1", etc + "/cmdline", Content.of("root=zfs\n"), Plans.BINARY, "other bytes"),
                new FileChange("pve1", etc + "/old.conf", Content.of("old\n"), Content.ABSENT, "removed"),
                Plans.INITRAMFS)));
    }

    private String playbook(CardPlan plan) throws IOException {
        return Files.writeString(temp.resolve("playbook.yaml"), new AnsibleExport().render(plan)).toString();
    }
}
