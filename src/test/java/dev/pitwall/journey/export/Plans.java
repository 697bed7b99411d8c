package dev.pitwall.journey.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pitwall.card.Floor;
import dev.pitwall.card.PciAddress;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.StepText;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Plans with changes of every kind. */
final class Plans {
    static final Content BINARY = new Content.Bytes(new byte[] {0, 1, -1, 10, 39});
    static final String TRICKY = "it's \"$HOME\" `x` \\ {{ y }}\nPITWALL\n\n\tü — ok\n";
    static final String ENTRY = "id=10de:25b0,iommugroup=14,node=pve1,path=0000:01:00,subsystem-id=10de:1878";

    private Plans() {
    }

    static final HostReboot REBOOT = new HostReboot("pve1", List.of(new HostReboot.Guest(122, "gpu-worker-1", true),
            new HostReboot.Guest(105, "jellyfin's", false)), Duration.ofMinutes(2), Duration.ofMinutes(15));
    static final CommandChange INITRAMFS = new CommandChange("pve1", List.of("update-initramfs", "-u", "-k", "all"),
            "boot image", Duration.ofSeconds(40), Duration.ofMinutes(10));

    /** Every kind of change, and a plan without one; files are under {@code etc}. */
    static List<CardPlan> all(Path etc) {
        return List.of(host(etc), vm(), raw(), creations(), cluster(etc), plan(List.of()));
    }

    /** A change of a cluster before one of a host. */
    static CardPlan cluster(Path etc) {
        JsonNode node = JsonNodeFactory.instance.objectNode().set("spec", JsonNodeFactory.instance.objectNode()
                .put("unschedulable", true));
        return plan(List.of(List.of(ManifestChange.making("k3s", ObjectRef.of(ObjectType.NODE, "gpu-a"), node, "cordon"),
                new FileChange("pve1", etc + "/new.conf", Content.ABSENT, Content.of("new\n"), "new file"))));
    }

    /** Two steps of the host, each of which ends in the boot image and the reboot; files are under {@code etc}. */
    static CardPlan host(Path etc) {
        return plan(List.of(List.of(
                new FileChange("pve1", etc + "/zz pitwall.conf", Content.ABSENT, Content.of(TRICKY), "new file"),
                new FileChange("pve1", etc + "/binary", BINARY, Content.of("no line end"), "other bytes"),
                INITRAMFS, REBOOT), List.of(
                new FileChange("pve1", etc + "/cmdline", Content.of("root=zfs\n"), BINARY, "other bytes"),
                new FileChange("pve1", etc + "/old.conf", Content.of("old\n"), Content.ABSENT, "removed"), INITRAMFS, REBOOT)));
    }

    static CardPlan vm() {
        return plan(List.of(List.of(
                new MappingChange("pve1", "gpu-pve1-01-00", Optional.empty(), Optional.of(List.of(ENTRY)), "new mapping"),
                new MappingChange("pve1", "old", Optional.of(List.of("node=pve2,path=0000:01:00,id=10de:25b0")),
                        Optional.of(List.of("node=pve2,path=0000:01:00,id=10de:25b0", ENTRY)), "this host is added"),
                new VmConfigChange("pve1", 122, new TreeMap<>(Map.of("balloon", Optional.empty(), "cpu",
                        Optional.of("x86-64-v2-AES,flags=+aes"), "hostpci0", Optional.of("01:00.0"), "hostpci1",
                        Optional.of("01:00.1"))), new TreeMap<>(Map.of("balloon", Optional.of("0"), "cpu",
                        Optional.of("host,flags=+aes"), "hostpci0", Optional.of("mapping=gpu-pve1-01-00,pcie=1"), "hostpci1",
                        Optional.empty())), "4 settings")), List.of(
                new VmPowerCycle("pve1", 122, "gpu-worker-1", Duration.ofSeconds(20), Duration.ofSeconds(20)))));
    }

    static CardPlan raw() {
        return plan(List.of(List.of(new VmConfigChange("pve1", 122, new TreeMap<>(Map.of("hostpci0", Optional.empty(), "machine",
                Optional.empty(), "agent", Optional.empty())), new TreeMap<>(Map.of("hostpci0",
                Optional.of("0000:01:00,pcie=1"), "machine", Optional.of("q35"), "agent", Optional.of("1"))), "3 settings"))));
    }

    static CardPlan creations() {
        return plan(List.of(List.of(
                new VmCreation("pve1", 130, "gpu-a", new VmCreation.Template(900, Optional.of("local-lvm")), "u-1",
                        new TreeMap<>(Map.of("smbios1", "uuid=u-1", "balloon", "0", "cpu", "host,flags=+aes;+pcid")), "copy"),
                new VmCreation("pve1", 131, "gpu-b", new VmCreation.Blank(), "u-2", new TreeMap<>(Map.ofEntries(
                        Map.entry("smbios1", "uuid=u-2"), Map.entry("balloon", "0"), Map.entry("machine", "q35"),
                        Map.entry("bios", "ovmf"), Map.entry("efidisk0", "local-lvm:1,efitype=4m,pre-enrolled-keys=0"),
                        Map.entry("scsi0", "local-lvm:64,discard=on,iothread=1"), Map.entry("memory", "16384"),
                        Map.entry("ide2", "local:iso/debian-13.iso,media=cdrom"), Map.entry("boot", "order=scsi0;ide2"),
                        Map.entry("net0", "virtio,bridge=vmbr0"))), "iso"))));
    }

    static CardPlan plan(List<List<? extends Change>> steps) {
        List<Planned> planned = new ArrayList<>();
        for (List<? extends Change> changes : steps) {
            planned.add(step("Step " + planned.size(), Answer.ready("ready", List.of(), List.copyOf(changes))));
        }
        planned.add(step("See the card in the guest", Answer.of(State.WAITING, "waits for\nthe rest", List.of())));
        return new CardPlan(new Subject("pve1/0000:01:00", "RTX A1000", "pve1", PciAddress.parse("0000:01:00").orElseThrow()),
                Choices.NONE, Instant.parse("2026-05-01T10:00:00Z"), planned);
    }

    private static Planned step(String title, Answer answer) {
        return new Planned(title, Floor.VM, new StepText("vm", title, ""), answer);
    }
}
