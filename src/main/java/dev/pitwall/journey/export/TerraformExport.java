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
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;
import dev.pitwall.read.PropertyText;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Blocks for the provider {@code bpg/proxmox}: mappings and settings of VMs. What it cannot do is a comment, in its
 * place. Names of resources and attributes are those of the provider's documentation and source at v0.111.1.
 */
final class TerraformExport implements Export {
    /** From the release that the names were checked against, to the one in which old names go. */
    private static final String VERSIONS = ">= 0.111.1, < 1.0.0";

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
        } else if (work.changes().stream().anyMatch(TerraformExport::isBlock)) {
            provider(hcl);
        }
        for (Change change : work.changes()) {
            hcl.blank();
            switch (change) {
                case MappingChange c -> mapping(c, hcl);
                case VmConfigChange c -> new TerraformConfig(hcl).resource(c);
                case VmCreation c -> creation(c, hcl);
                case VmRemoval c -> hcl.comment("VM " + c.vmid() + " goes with its disks: take its resource out.");
                case FileChange c -> hcl.comment("Not with Terraform: file " + c.path() + " on " + c.host() + ", "
                        + c.summary() + ".");
                case CommandChange c -> hcl.comment("Not with Terraform: on " + c.host() + " run " + c.target() + ".");
                case ManifestChange c -> elsewhere(c, hcl);
                case HelmChange c -> elsewhere(c, hcl);
                case TalosUpgrade c -> elsewhere(c, hcl);
                case TalosConfigChange c -> elsewhere(c, hcl);
                case PodRun c -> elsewhere(c, hcl);
                case ModelChange c -> elsewhere(c, hcl);
                case ModelAsk c -> elsewhere(c, hcl);
                case PodRestart c -> elsewhere(c, hcl);
                case PackageChange c -> elsewhere(c, hcl);
                case NodeReboot c -> elsewhere(c, hcl);
                case HostReboot c -> hcl.comment("Not with Terraform: reboot " + c.host() + " (" + c.summary() + ").");
                case VmPowerCycle c -> hcl.comment("Not with Terraform: shut VM " + c.vmid()
                        + " down and start it again. A reboot "
                        + "from inside the guest does not make the card appear.");
            }
        }
        return hcl.toString();
    }

    private static boolean isBlock(Change change) {
        return switch (change) {
            case MappingChange c -> c.after().isPresent();
            case VmConfigChange c -> true;
            case VmCreation c -> true;
            case VmRemoval c -> false;
            case FileChange c -> false;
            case CommandChange c -> false;
            case HostReboot c -> false;
            case VmPowerCycle c -> false;
            case ManifestChange c -> false;
            case HelmChange c -> false;
            case TalosUpgrade c -> false;
            case TalosConfigChange c -> false;
            case PackageChange c -> false;
            case NodeReboot c -> false;
            case PodRun c -> false;
            case ModelChange c -> false;
            case ModelAsk c -> false;
            case PodRestart c -> false;
        };
    }

    private static void provider(Hcl hcl) {
        hcl.blank().open("terraform").open("required_providers").open("proxmox =")
                .text("source", "bpg/proxmox").text("version", VERSIONS).close().close().close();
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
