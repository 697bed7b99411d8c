package dev.pitwall.ui.run;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Source;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.StepText;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.proof.ProofRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The steps of one card as they stand now. */
record SampleSteps(SampleJourney world, Situation.Subject card, Choices choices) {

    List<CardPlan.Planned> all() {
        List<CardPlan.Planned> all = new ArrayList<>(machine());
        if (world.hasProof()) {
            all.add(step("proof", Floor.PROOF, "proof", "Prove the card", "A pod of its own computes on the card.", proof()));
        }
        return all;
    }

    /** Due until it was proved; again where only later proofs count. */
    private Answer proof() {
        boolean proved = ProofRun.last(world.journal.runs("", 100), card.id()).filter(ProofRun::passed).isPresent();
        return proved && choices.get("proof-since").isEmpty() ? Answer.of(Answer.State.DONE, "Test PASSED just now", List.of())
                : Answer.ready("not proved yet", List.of(), List.of(SampleProofs.pod(card.id(), card.host())));
    }

    private List<CardPlan.Planned> machine() {
        return List.of(
                step("iommu", Floor.FIRMWARE, "host", "Turn on the IOMMU",
                        "Without an IOMMU the host cannot hand a whole card to a VM. Firmware and kernel must both "
                                + "have it on; the kernel shows whether it works.",
                        iommuStep()),
                step("group", Floor.FIRMWARE, "host", "Check the IOMMU group",
                        "Whatever shares the card's group leaves the host together with it. Proxmox takes the whole "
                                + "group when the VM starts, and says nothing about it.",
                        isOff() ? Answer.of(Answer.State.WAITING, "waits for the IOMMU", List.of())
                                : Answer.of(Answer.State.DONE, "group 14 holds only this card", List.of(group()))),
                step("bind", Floor.VFIO, "host", "Bind the card to vfio-pci",
                        "The host must not use this card itself: a driver that holds it keeps the VM from getting "
                                + "it. All functions of the card are reserved for vfio-pci before another driver can "
                                + "claim them at boot.", bind()),
                step("idle-power", Floor.VFIO, "host", "Keep the idle card awake",
                        "Some cards that no VM uses fall into a sleep they do not wake from. A module option keeps "
                                + "them awake.",
                        Answer.of(Answer.State.NOT_APPLICABLE, "this card wakes up", List.of())),
                step("vm", Floor.VM, "vm", "Choose the VM",
                        "The whole card goes to one VM; the host and every other VM do without it while that one "
                                + "runs.", vm()),
                step("attach", Floor.VM, "vm", "Attach the card",
                        "The VM gets all functions of the card as one PCIe device, and the settings that a card "
                                + "needs. Proxmox keeps them pending until the VM was off.", attach()),
                step("power-cycle", Floor.VM, "vm", "Power-cycle the VM",
                        "A changed card, machine or firmware only takes effect when the VM was off; a reboot inside "
                                + "the guest does not do it. The guest is shut down first.", cycle()),
                step("guest", Floor.VM, "vm", "See the card in the guest",
                        "The guest itself must list the card, with all its functions. What Proxmox has configured "
                                + "proves nothing yet.",
                        Answer.of(attached() && isLive() ? Answer.State.DONE : Answer.State.WAITING,
                                attached() && isLive() ? "both functions are there" : "waits for the power cycle",
                                List.of())));
    }

    private CardPlan.Planned step(String id, Floor floor, String system, String title, String text, Answer answer) {
        Answer shown = world.skipped(card.id(), id)
                .map(why -> Answer.of(Answer.State.SKIPPED, "skipped: " + why, answer.found())).orElse(answer);
        return new CardPlan.Planned(id, floor, new StepText(system, title, text), shown);
    }

    private boolean isOff() {
        return world.isIommuOff(card.host());
    }

    private Answer iommuStep() {
        if (!isOff()) {
            return Answer.of(Answer.State.DONE, "already on, 21 groups", List.of(iommu()));
        }
        String host = card.host();
        return Answer.ready("3 changes, reboots " + host, List.of(), List.of(
                new FileChange(host, SampleJourney.GRUB, world.file(host, SampleJourney.GRUB),
                        Content.of("GRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\n"), "1 line changed"),
                new CommandChange(host, List.of("update-grub"), "", Duration.ofSeconds(5), Duration.ofMinutes(5)), reboot()));
    }

    private HostReboot reboot() {
        return new HostReboot(card.host(), List.of(new HostReboot.Guest(112, "rke2-master-2", true),
                new HostReboot.Guest(122, "rke2-worker-dc2-gpu-a", true),
                new HostReboot.Guest(131, "harbor", true)), Duration.ofMinutes(2), Duration.ofMinutes(10));
    }

    private Found iommu() {
        return found("IOMMU", "On, 21 groups", Found.Mark.OK, "ls /sys/kernel/iommu_groups", "0\n1\n2\n14\n", List.of());
    }

    private Found group() {
        return found("Group 14", "This card’s 2 functions, 1 root port", Found.Mark.OK,
                "readlink /sys/bus/pci/devices/0000:01:00.0/iommu_group", "../../../kernel/iommu_groups/14\n", List.of(1));
    }

    private Found driver() {
        boolean bound = bound();
        String in = bound ? "vfio-pci" : "nouveau";
        String raw = "01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA107GL [RTX A1000] [10de:25b0] (rev a1)\n"
                + "\tKernel driver in use: " + in + "\n\tKernel modules: nvidiafb, nouveau\n"
                + "01:00.1 Audio device [0403]: NVIDIA Corporation GA107 High Definition Audio Controller [10de:2291] (rev a1)\n"
                + "\tKernel driver in use: " + (bound ? in : "snd_hda_intel") + "\n\tKernel modules: snd_hda_intel\n";
        return found("Driver in use", bound ? "vfio-pci, both functions" : world.driver(card.host()),
                bound ? Found.Mark.OK : Found.Mark.ATTENTION, "lspci -nnk -s 01:00", raw, List.of(2, 5));
    }

    private boolean bound() {
        return world.driver(card.host()).equals("vfio-pci");
    }

    private Answer bind() {
        List<Found> found = List.of(iommu(), group(), driver(),
                found("Early boot", "GRUB, initramfs-tools", Found.Mark.OK, "proxmox-boot-tool status",
                        "Re-executing '/usr/sbin/proxmox-boot-tool' in new private mount namespace..\n"
                                + "E: /etc/kernel/proxmox-boot-uuids does not exist.\n", List.of(2)),
                found("Console", "On the iGPU: boot_vga is 0 here", Found.Mark.INFO,
                        "cat /sys/bus/pci/devices/0000:01:00.0/boot_vga", "0\n", List.of()));
        if (bound()) {
            return Answer.of(Answer.State.DONE, "vfio-pci holds both functions", found);
        }
        boolean byId = choices.get("bind").orElse("ids").equals("ids");
        return Answer.ready("4 changes, reboots " + card.host(), found, bindChanges(byId))
                .asking(new Answer.Question("bind", "How is the card told from others?", List.of(
                        new Answer.Option("ids", "By its ids", "Every card of this model goes to VMs."),
                        new Answer.Option("address", "By its slot", "Only the card in this slot; it stays so while "
                                + "the board keeps its numbering.")), byId ? "ids" : "address"))
                .noting("The host cannot use this card any more, and only one VM at a time can.");
    }

    private List<Change> bindChanges(boolean byId) {
        StringBuilder text = new StringBuilder("softdep nouveau pre: vfio-pci\nsoftdep snd_hda_intel pre: vfio-pci\n");
        text.append(byId ? "options vfio-pci ids=10de:25b0,10de:2291\n" : "options vfio-pci ids=\n");
        for (int i = 1; i < world.lines(); i++) {
            text.append("# line ").append(i).append('\n');
        }
        text.append("blacklist nouveau\n");
        String host = card.host();
        Content modules = world.file(host, SampleJourney.MODULES);
        Content before = modules.absent() ? Content.of("vfio\n") : modules;
        Content after = Content.of("vfio\nvfio_iommu_type1\nvfio_pci\n");
        List<Change> changes = new ArrayList<>();
        if (!world.file(host, SampleJourney.MODPROBE).equals(Content.of(text.toString()))) {
            changes.add(new FileChange(host, SampleJourney.MODPROBE, world.file(host, SampleJourney.MODPROBE), Content.of(text.toString()), "new file"));
        }
        if (!before.equals(after)) {
            changes.add(new FileChange(host, SampleJourney.MODULES, before, after, "2 lines added"));
        }
        changes.addAll(List.of(new CommandChange(host, List.of("update-initramfs", "-u", "-k", "all"), "", Duration.ofSeconds(40),
                        Duration.ofMinutes(10)),
                reboot()));
        return changes;
    }

    private Answer vm() {
        List<Answer.Option> options = new ArrayList<>();
        for (int id : new int[] {112, 121, 122, 123, 131, 141, 151, 210}) {
            options.add(new Answer.Option(Integer.toString(id), "VM " + id, "q35, 16 GiB, 4 cores"));
        }
        return Answer.of(Answer.State.DONE, "VM " + choices.get("vm").orElse("122"), List.of())
                .asking(new Answer.Question("vm", "Which VM gets the card?", options, choices.get("vm").orElse("122")));
    }

    private boolean attached() {
        return world.config(card.host(), "hostpci0").isPresent();
    }

    private boolean isLive() {
        return world.live(card.host(), "hostpci0");
    }

    private Answer attach() {
        if (attached()) {
            return Answer.of(Answer.State.DONE, "hostpci0, q35", List.of());
        }
        TreeMap<String, Optional<String>> before = new TreeMap<>(Map.of("hostpci0", Optional.empty(), "balloon",
                Optional.of("8192"), "machine", Optional.of("pc-i440fx-8.1")));
        TreeMap<String, Optional<String>> after = new TreeMap<>(Map.of("hostpci0", Optional.of("0000:01:00,pcie=1"),
                "balloon", Optional.of("0"), "machine", Optional.of("q35")));
        List<Change> changes = List.of(new VmConfigChange(card.host(), 122, before, after, "3 keys"));
        return bound() ? Answer.ready("1 change", List.of(), changes)
                : Answer.waiting("waits for vfio-pci", List.of(), changes);
    }

    private Answer cycle() {
        if (!attached()) {
            return Answer.of(Answer.State.WAITING, "waits for the card", List.of());
        }
        return isLive() ? Answer.of(Answer.State.DONE, "nothing is pending", List.of())
                : Answer.ready("1 change, power-cycles VM 122", List.of(), List.of(new VmPowerCycle(card.host(), 122,
                        "rke2-worker-dc2-gpu-a", Duration.ofMinutes(3), Duration.ofMinutes(2))));
    }

    private Found found(String name, String value, Found.Mark mark, String command, String raw, List<Integer> deciding) {
        return new Found(name, value, mark, new Source(Source.Kind.SSH, card.host(), command), world.now(), raw, deciding);
    }
}
