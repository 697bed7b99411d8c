package dev.pitwall.journey.export;

import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.read.PropertyText;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Some settings of a VM that is there, as a resource that may be imported and applied as it stands: all that the plan does
 * not change is ignored. Without that the provider would set it to defaults of its own, a core and 512 MiB among them.
 */
final class TerraformConfig {
    private static final String ARGUMENTS = "/journey/export-terraform-vm.txt";

    private final Hcl hcl;
    /** Arguments that the resource sets. */
    private final Set<String> set = new HashSet<>();
    private final List<String> ignored = new ArrayList<>();

    TerraformConfig(Hcl hcl) {
        this.hcl = hcl;
    }

    void resource(VmConfigChange c) {
        String name = "vm_" + c.vmid();
        hcl.comment("If VM " + c.vmid() + " has a resource, put these into it. If it has none: terraform import "
                + "proxmox_virtual_environment_vm." + name + " " + c.node() + "/" + c.vmid());
        hcl.open("resource \"proxmox_virtual_environment_vm\" " + Hcl.quote(name));
        hcl.text("node_name", c.node()).set("vm_id", String.valueOf(c.vmid()));
        hcl.comment("Power is cycled on purpose, not by the provider.");
        hcl.set("reboot_after_update", "false");
        if (c.after().keySet().stream().anyMatch(key -> key.matches("hostpci\\d+"))) {
            hcl.comment("Each hostpci entry that the VM has and that is not here goes: add those that stay.");
        }
        c.after().forEach(this::setting);
        hcl.open("lifecycle");
        hcl.comment("All else stays as the VM has it.");
        arguments().stream().filter(argument -> !set.contains(argument)).forEach(ignored::add);
        hcl.list("ignore_changes", ignored);
        hcl.close().close();
    }

    private void setting(String key, Optional<String> value) {
        if (value.isEmpty()) {
            gone(key);
        } else if (key.matches("hostpci\\d+")) {
            set.add("hostpci");
            device(key, PropertyText.parse(value.get(), "host"));
        } else {
            kept(key, value.get());
        }
    }

    private void gone(String key) {
        hcl.comment(key + " goes: it must not be in the resource.");
        if (key.matches("hostpci\\d+")) {
            set.add("hostpci");
        }
    }

    private void kept(String key, String value) {
        switch (key) {
            case "machine" -> {
                set.add("machine");
                hcl.text("machine", PropertyText.parse(value, "type").get("type").orElse(value));
            }
            case "cpu" -> {
                new TerraformVm(block("cpu")).type(value).close();
                ignored.addAll(List.of("cpu[0].architecture", "cpu[0].cores", "cpu[0].hotplugged", "cpu[0].limit",
                        "cpu[0].numa", "cpu[0].sockets", "cpu[0].units", "cpu[0].affinity"));
            }
            case "balloon" -> {
                block("memory").set("floating", value).close();
                ignored.addAll(List.of("memory[0].dedicated", "memory[0].shared", "memory[0].hugepages",
                        "memory[0].keep_hugepages"));
            }
            case "agent" -> {
                block("agent").set("enabled", String.valueOf(PropertyText.parse(value, "enabled").flag("enabled")))
                        .close();
                ignored.addAll(List.of("agent[0].timeout", "agent[0].trim", "agent[0].type"));
            }
            default -> hcl.comment("Not with these blocks: " + key + " = " + value);
        }
    }

    private Hcl block(String name) {
        set.add(name);
        return hcl.open(name);
    }

    private void device(String key, PropertyText device) {
        hcl.open("hostpci");
        device.get("host").ifPresent(address -> hcl.comment(
                "An address needs the provider to sign in as root@pam with its password.")
                .text("id", address));
        device.get("mapping").ifPresent(id -> hcl.text("mapping", id));
        hcl.text("device", key);
        hcl.set("pcie", String.valueOf(device.flag("pcie")));
        device.get("rombar").ifPresent(rombar -> hcl.set("rombar", String.valueOf(device.flag("rombar"))));
        device.get("romfile").ifPresent(file -> hcl.text("rom_file", file));
        device.get("x-vga").ifPresent(vga -> hcl.set("xvga", String.valueOf(device.flag("x-vga"))));
        hcl.close();
    }

    /** Those of the provider's resource that tell what a VM is. */
    private static List<String> arguments() {
        try (InputStream in = TerraformConfig.class.getResourceAsStream(ARGUMENTS)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
