package dev.pitwall.journey.export;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Export;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;
import dev.pitwall.read.PropertyText;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Blocks for the provider {@code bpg/proxmox}: mappings and settings of VMs. What it cannot do is a comment, in its
 * place. Names of attributes are those of the provider's documentation.
 */
final class TerraformExport implements Export {

    @Override
    public String kind() {
        return "terraform";
    }

    @Override
    public String render(CardPlan plan) {
        Work work = Work.of(plan);
        Hcl hcl = new Hcl();
        hcl.comment(Work.title(plan));
        hcl.comment("For the provider bpg/proxmox. Terraform changes no files of a host and runs nothing on it; "
                + "where that is");
        hcl.comment("needed a comment says so, and the bash or ansible form of this plan does it.");
        work.open().forEach(open -> hcl.comment("Not in it, needs a plan of its own later: " + open));
        if (work.changes().isEmpty()) {
            hcl.comment("Nothing is to be changed now.");
        }
        for (Change change : work.changes()) {
            hcl.blank();
            switch (change) {
                case MappingChange c -> mapping(c, hcl);
                case VmConfigChange c -> config(c, hcl);
                case VmCreation c -> creation(c, hcl);
                case VmRemoval c -> hcl.comment("VM " + c.vmid() + " goes with its disks: take its resource out.");
                case FileChange c -> hcl.comment("Not with Terraform: file " + c.path() + " on " + c.host() + ", "
                        + c.summary() + ".");
                case CommandChange c -> hcl.comment("Not with Terraform: on " + c.host() + " run " + c.target() + ".");
                case ManifestChange c -> elsewhere(c, hcl);
                case HelmChange c -> elsewhere(c, hcl);
                case PodRun c -> elsewhere(c, hcl);
                case ModelChange c -> elsewhere(c, hcl);
                case ModelAsk c -> elsewhere(c, hcl);
                case HostReboot c -> hcl.comment("Not with Terraform: reboot " + c.host() + " (" + c.summary() + ").");
                case VmPowerCycle c -> hcl.comment("Not with Terraform: shut VM " + c.vmid()
                        + " down and start it again. A reboot "
                        + "from inside the guest does not make the card appear.");
            }
        }
        return hcl.toString();
    }

    private static void elsewhere(Change c, Hcl hcl) {
        hcl.comment("Not with this provider: " + c.target() + " in " + c.system() + ", " + c.summary() + ".");
    }

    private static void mapping(MappingChange c, Hcl hcl) {
        if (c.after().isEmpty()) {
            hcl.comment("Mapping " + c.id() + " goes: take its resource out.");
            return;
        }
        String name = identifier(c.id());
        c.before().ifPresent(before -> hcl.comment("It is there already: terraform import proxmox_hardware_mapping_pci."
                + name + " " + c.id()));
        hcl.open("resource \"proxmox_hardware_mapping_pci\" " + Hcl.quote(name));
        hcl.text("name", c.id());
        hcl.objects("map", c.after().get().stream().map(TerraformExport::entry).toList());
        hcl.close();
    }

    private static Map<String, String> entry(String text) {
        PropertyText entry = PropertyText.parse(text, "");
        Map<String, String> attributes = new LinkedHashMap<>();
        entry.get("description").ifPresent(v -> attributes.put("comment", Hcl.quote(v)));
        entry.get("id").ifPresent(v -> attributes.put("id", Hcl.quote(v)));
        entry.get("iommugroup").filter(v -> v.matches("\\d+")).ifPresent(v -> attributes.put("iommu_group", v));
        entry.get("node").ifPresent(v -> attributes.put("node", Hcl.quote(v)));
        entry.get("path").ifPresent(v -> attributes.put("path", Hcl.quote(v)));
        entry.get("subsystem-id").ifPresent(v -> attributes.put("subsystem_id", Hcl.quote(v)));
        return attributes;
    }

    private static void config(VmConfigChange c, Hcl hcl) {
        String name = "vm_" + c.vmid();
        hcl.comment("Put these into the resource of VM " + c.vmid() + "; if it has none yet: terraform import "
                + "proxmox_virtual_environment_vm." + name + " " + c.node() + "/" + c.vmid());
        hcl.open("resource \"proxmox_virtual_environment_vm\" " + Hcl.quote(name));
        hcl.text("node_name", c.node()).set("vm_id", String.valueOf(c.vmid()));
        c.after().forEach((key, value) -> setting(key, value, hcl));
        hcl.close();
    }

    private static void setting(String key, Optional<String> value, Hcl hcl) {
        if (value.isEmpty()) {
            hcl.comment(key + " goes: take it out of the resource.");
        } else if (key.matches("hostpci\\d+")) {
            device(key, PropertyText.parse(value.get(), "host"), hcl);
        } else {
            switch (key) {
                case "machine" -> hcl.text("machine",
                        PropertyText.parse(value.get(), "type").get("type").orElse(value.get()));
                case "cpu" -> new TerraformVm(hcl.open("cpu")).type(value.get()).close();
                case "balloon" -> hcl.open("memory").comment("beside the \"dedicated\" that the VM has")
                        .set("floating", value.get()).close();
                case "agent" -> hcl.open("agent").set("enabled",
                        String.valueOf(PropertyText.parse(value.get(), "enabled")
                        .flag("enabled"))).close();
                default -> hcl.comment("Not with these blocks: " + key + " = " + value.get());
            }
        }
    }

    private static void device(String key, PropertyText device, Hcl hcl) {
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

    private static void creation(VmCreation c, Hcl hcl) {
        hcl.open("resource \"proxmox_virtual_environment_vm\" " + Hcl.quote("vm_" + c.vmid()));
        hcl.text("node_name", c.node()).set("vm_id", String.valueOf(c.vmid())).text("name", c.name())
                .set("started", "false");
        switch (c.origin()) {
            case VmCreation.Template t -> {
                hcl.open("clone").set("vm_id", String.valueOf(t.vmid())).set("full", "true");
                t.storage().ifPresent(storage -> hcl.text("datastore_id", storage));
                hcl.close();
            }
            case VmCreation.Blank b -> { }
        }
        new TerraformVm(hcl).settings(c.settings());
        hcl.close();
    }

    /** A name of a resource: letters, digits, "-" and "_", not a digit first. */
    private static String identifier(String id) {
        String name = id.replaceAll("[^A-Za-z0-9_-]", "_");
        return name.matches("[A-Za-z_].*") ? name : "_" + name;
    }
}
