package dev.pitwall.ui.change;

import static dev.pitwall.ui.change.SampleChanges.command;
import static dev.pitwall.ui.change.SampleChanges.config;
import static dev.pitwall.ui.change.SampleChanges.cycle;
import static dev.pitwall.ui.change.SampleChanges.file;
import static dev.pitwall.ui.change.SampleChanges.reboot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmRemoval;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ByHandTest {

    @Test
    void eachMachineHasItsPart() {
        assertThat(ByHand.commands(List.of(command("update-initramfs", "-u", "-k", "all"),
                reboot("pve2", new HostReboot.Guest(112, "master", true)), reboot("pve3")))).isEqualTo("""
                # On pve2, as root:

                update-initramfs -u -k all

                systemctl reboot  # stops 112 master

                # On pve3, as root:

                systemctl reboot
                """);
    }

    @Test
    void aVmsConfigurationIsSetWithQm() {
        assertThat(script(config(Map.of("balloon", "8192", "vga", "std"), Map.of("balloon", "0", "args", "-cpu 'host'"))))
                .contains("qm set 122 --args '-cpu '\\''host'\\''' --balloon 0\nqm set 122 --delete vga");
        assertThat(script(cycle(122))).contains("qm shutdown 122 --timeout 180").contains("\nqm start 122");
    }

    @Test
    void aNewVmIsClonedOrMadeAndDestroyedWithQm() {
        TreeMap<String, String> settings = new TreeMap<>(Map.of("smbios1", "uuid=aa", "memory", "16384"));
        assertThat(script(new VmCreation("pve2", 130, "gpu", new VmCreation.Template(900, Optional.of("local-zfs")), "aa",
                settings, ""))).contains("qm clone 900 130 --name gpu --full 1 --storage local-zfs\nqm set 130 --memory 16384");
        assertThat(script(new VmCreation("pve2", 130, "gpu", new VmCreation.Blank(), "aa", settings, "")))
                .contains("qm create 130 --name gpu --memory 16384 --smbios1 uuid=aa");
        assertThat(script(new VmRemoval("pve2", 130, "gpu", "aa"))).contains("qm destroy 130 --purge");
    }

    @Test
    void aMappingIsMadeChangedAndRemovedWithPvesh() {
        Optional<List<String>> none = Optional.empty();
        Optional<List<String>> one = Optional.of(List.of("id=10de:25b0,node=pve2"));
        assertThat(script(new MappingChange("pve2", "gpu", none, one, "")))
                .contains("pvesh create /cluster/mapping/pci --id gpu --map id=10de:25b0,node=pve2");
        assertThat(script(new MappingChange("pve2", "gpu", one, Optional.of(List.of("a", "b")), "")))
                .contains("pvesh set /cluster/mapping/pci/gpu --map a --map b");
        assertThat(script(new MappingChange("pve2", "gpu", one, none, ""))).contains("pvesh delete /cluster/mapping/pci/gpu");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aShellMakesTheVeryBytesOfIt(@TempDir Path folder) throws Exception {
        List<Content> contents = List.of(Content.of("options vfio-pci ids=10de:25b0\n# it's $HOME `x` \\n\n"),
                Content.of("PITWALL\nPITWALL_\n"), Content.of("no newline at the end, it's so"), Content.of("\n\n"),
                new Content.Bytes(new byte[] {0, 1, (byte) 0xff, 10, 13, 0}));
        for (int i = 0; i < contents.size(); i++) {
            Path target = folder.resolve("a folder " + i).resolve("file");
            run(script(file(target.toString(), Content.ABSENT, contents.get(i))));
            assertThat(new Content.Bytes(Files.readAllBytes(target))).as("content %d", i).isEqualTo(contents.get(i));
            run(script(file(target.toString(), contents.get(i), Content.ABSENT)));
            assertThat(target).doesNotExist();
        }
    }

    private static void run(String script) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-eu").redirectErrorStream(true).start();
        try (var in = shell.getOutputStream()) {
            in.write(script.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(said).isZero();
    }

    private static String script(Change change) {
        return ByHand.commands(List.of(change));
    }
}
