package dev.pitwall.journey.export;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.lab.client.RealClient;
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
                .contains("      version = \">= 0.111.1, < 1.0.0\"\n").contains("  reboot_after_update = false\n")
                .contains("  hostpci {\n    mapping = \"gpu-pve1-01-00\"\n    device  = \"hostpci0\"\n    pcie    = true\n  }\n");
    }

    /** The provider's defaults are a core and 512 MiB: applied as it stands, the VM must keep what it has. */
    @Test
    void whatThePlanDoesNotChangeIsIgnored() {
        String text = new TerraformExport().render(Plans.vm());
        String ignored = text.substring(text.indexOf("ignore_changes"), text.indexOf("]\n", text.indexOf("ignore_changes")));

        assertThat(ignored).contains(" cpu[0].cores,").contains(" memory[0].dedicated,").contains(" disk,").contains(" name,")
                .doesNotContain(" cpu,").doesNotContain(" memory,").doesNotContain(" hostpci,");
    }

    @Test
    void aCopyKeepsTheCoresAndTheMemoryOfItsTemplate() {
        String text = new TerraformExport().render(Plans.creations());
        String copy = text.substring(text.indexOf("\"vm_130\""), text.indexOf("\"vm_131\""));

        assertThat(copy).contains("clone {").doesNotContain("\n  cpu {").doesNotContain("\n  memory {")
                .contains("# The template's memory is not known here: add memory { dedicated = ... floating = 0 }.");
    }

    @Test
    void aPlanThatChangesNothingSaysSo() {
        assertThat(new TerraformExport().render(Plans.plan(List.of()))).contains("# Nothing is to be changed now.\n");
    }

    /** Terraform's own parser takes it, and would lay it out no differently. */
    @Test
    void terraformFormatsItAsItIs() {
        RealClient terraform = RealClient.orSkip("terraform", "fmt", "-check", "-diff", "-");
        for (CardPlan plan : Plans.all(Path.of("/etc"))) {
            terraform.feed(new TerraformExport().render(plan)).ok();
        }
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
