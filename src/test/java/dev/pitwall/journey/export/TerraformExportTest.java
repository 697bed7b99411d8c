package dev.pitwall.journey.export;

import dev.pitwall.journey.CardPlan;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class TerraformExportTest {

    @Test
    void everyFormIsWellFormed() {
        for (CardPlan plan : Plans.all(Path.of("/etc"))) {
            wellFormed(new TerraformExport().render(plan));
        }
    }

    @Test
    void mappingsAndSettingsAreBlocksOfTheProvider() {
        String text = new TerraformExport().render(Plans.vm());

        assertThat(text).contains("resource \"proxmox_hardware_mapping_pci\" \"gpu-pve1-01-00\" {\n  name = \"gpu-pve1-01-00\"\n")
                .contains("      iommu_group  = 14\n").contains("      subsystem_id = \"10de:1878\"\n")
                .contains("# It is there already: terraform import proxmox_hardware_mapping_pci.old old\n")
                .contains("terraform import proxmox_virtual_environment_vm.vm_122 pve1/122")
                .contains("  cpu {\n    type  = \"host\"\n    flags = [\"+aes\"]\n  }\n")
                .contains("    floating = 0\n").contains("# hostpci1 goes")
                .contains("  hostpci {\n    mapping = \"gpu-pve1-01-00\"\n    device  = \"hostpci0\"\n    pcie    = true\n  }\n");
    }

    @Test
    void whatTerraformCannotDoIsAComment() {
        String text = new TerraformExport().render(Plans.host(Path.of("/etc")));

        assertThat(text.lines()).allMatch(line -> line.isEmpty() || line.startsWith("#"));
        assertThat(text).contains("file /etc/cmdline on pve1").contains("run update-initramfs -u -k all")
                .containsOnlyOnce("reboot pve1");
        assertThat(new TerraformExport().render(Plans.raw())).contains("root@pam");
    }

    @Test
    void aTextCannotLeaveItsQuotes() {
        assertThat(Hcl.quote("a\"b\\c${d}%{e}\nf")).isEqualTo("\"a\\\"b\\\\c$${d}%%{e}\\nf\"");
    }

    /** Brackets match outside of texts and comments. */
    private static void wellFormed(String text) {
        Deque<Character> open = new ArrayDeque<>();
        for (String line : text.lines().toList()) {
            String code = line.strip().startsWith("#") ? "" : line.replaceAll("\"(\\\\.|[^\"\\\\])*\"", "T");
            assertThat(code).doesNotContain("\"");
            code.chars().filter(c -> "{}[]".indexOf(c) >= 0).forEach(c -> {
                if (c == '{' || c == '[') {
                    open.push((char) c);
                } else {
                    assertThat(open.pop()).isEqualTo(c == '}' ? '{' : '[');
                }
            });
        }
        assertThat(open).isEmpty();
        assertThat(text).endsWith("\n");
    }
}
