package dev.pitwall.ui.run;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.StepText;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.UndoPlan;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.ui.SampleSite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/**
 * A wizard in memory: hosts with files, a boot that takes them up, and a VM each. It behaves as the real one does: a step
 * that is done stays done, a run writes its journal ahead, undo puts back what was there.
 */
public final class SampleJourney implements Journey {

    public static final String MODPROBE = "/etc/modprobe.d/zz-pitwall.conf";
    public static final String MODULES = "/etc/modules-load.d/pitwall.conf";

    public final SampleJournal journal = new SampleJournal();
    public final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, Content> files = new ConcurrentHashMap<>();
    private final Map<String, String> booted = new ConcurrentHashMap<>();
    private final Map<String, String> config = new ConcurrentHashMap<>();
    private final Map<String, String> live = new ConcurrentHashMap<>();
    private final Map<String, String> skipped = new ConcurrentHashMap<>();
    private final Map<String, Trouble> silent = new ConcurrentHashMap<>();
    private volatile Semaphore gate = new Semaphore(Integer.MAX_VALUE / 2);
    private volatile Semaphore lookGate = new Semaphore(Integer.MAX_VALUE / 2);
    private volatile int failAt;
    private volatile int longFile = 1;
    private volatile boolean closed;
    private Instant now = SampleSite.NOW.minusSeconds(3);

    /** From now on each change waits until it is let through. */
    public void hold() {
        gate = new Semaphore(0);
    }

    public void let(int changes) {
        gate.release(changes);
    }

    /** From now on each look waits until it is let through. */
    public void holdLooks() {
        lookGate = new Semaphore(0);
    }

    public void letLooks(int looks) {
        lookGate.release(looks);
    }

    /** The change at this position of the next run fails. */
    public void failAt(int position) {
        failAt = position;
    }

    /** The host does not answer any more. */
    public void silence(String host) {
        silent.put(host, new Trouble(Trouble.Kind.TIMEOUT, host + ":22", "no answer within 10 s",
                "Check that " + host + " is on and its network is up."));
    }

    public void answerAgain(String host) {
        silent.remove(host);
    }

    /** So many lines has the file that a step would write. */
    public void lines(int lines) {
        longFile = lines;
    }

    /** The host has loaded vfio-pci for the card, as after a reboot that took up the files. */
    public void bound(String host) {
        booted.put(host, "vfio-pci");
    }

    public boolean isClosed() {
        return closed;
    }

    public Content file(String host, String path) {
        return files.getOrDefault(host + path, Content.ABSENT);
    }

    @Override
    public CardPlan look(Situation.Subject card, Choices choices, Watcher watcher)
            throws TroubleException, InterruptedException {
        asked.add("look " + card.host() + " " + choices.values());
        lookGate.acquire();
        Trouble trouble = silent.get(card.host());
        if (trouble != null) {
            throw new TroubleException(trouble);
        }
        String host = card.host();
        for (String command : List.of("lspci -nnk -s 01:00", "ls /sys/kernel/iommu_groups", "proxmox-boot-tool status",
                "cat /etc/modules-load.d/pitwall.conf")) {
            line(watcher, host + " ssh", command, "exit 0", 38);
        }
        line(watcher, host + " api", "GET /nodes/" + host + "/qemu", "200", 24);
        return new CardPlan(card, choices, now, new SampleSteps(this, card, choices).all());
    }

    @Override
    public RunRecord apply(CardPlan plan, List<String> steps, Watcher watcher, Stop stop) throws InterruptedException {
        asked.add("apply " + plan.card().host() + " " + steps);
        RunRecord run = begin(plan.step(steps.getFirst()).orElseThrow().text().title(), plan.card(), Optional.empty());
        List<Journal.Intended> intended = new ArrayList<>();
        plan.steps().stream().filter(s -> steps.contains(s.id())).forEach(s -> s.answer().changes()
                .forEach(c -> intended.add(new Journal.Intended(s.id(), c))));
        journal.add(run.number(), intended);
        return make(run.number(), watcher, stop);
    }

    @Override
    public RunRecord walk(Situation.Subject card, Choices choices, String last, Watcher watcher, Stop stop) {
        throw new UnsupportedOperationException("the window applies step by step");
    }

    @Override
    public RunRecord resume(long run, Watcher watcher, Stop stop) throws InterruptedException {
        asked.add("resume " + run);
        return make(run, watcher, stop);
    }

    @Override
    public UndoPlan undoPlan(long run, Watcher watcher) {
        asked.add("undo plan " + run);
        RunRecord record = journal.run(run).orElseThrow();
        List<Change> made = record.changes().stream().filter(c -> c.state() == ChangeRecord.State.DONE)
                .map(ChangeRecord::change).toList();
        List<Change> back = new ArrayList<>();
        made.reversed().stream().filter(c -> c.turn() == Change.Turn.CONTENT).forEach(c -> back.add(inverse(c)));
        made.stream().filter(c -> c.turn() != Change.Turn.CONTENT).forEach(back::add);
        return new UndoPlan(run, Optional.empty(), back);
    }

    @Override
    public RunRecord undo(long run, Watcher watcher, Stop stop) throws InterruptedException {
        asked.add("undo " + run);
        RunRecord of = journal.run(run).orElseThrow();
        RunRecord undo = journal.begin(new Journal.Opening(of.siteId(), "Undo run " + run, of.host(), of.card(),
                "you, from this computer", Optional.of(run), tick()));
        journal.add(undo.number(), undoPlan(run, watcher).changes().stream()
                .map(c -> new Journal.Intended(of.changes().getFirst().step(), c)).toList());
        RunRecord ended = make(undo.number(), watcher, stop);
        if (ended.state() == RunRecord.State.DONE) {
            journal.close(run, RunRecord.State.UNDONE, Optional.of("undone in run " + undo.number()), tick());
        }
        return ended;
    }

    @Override
    public RunRecord skip(Situation.Subject card, String step, String reason) {
        asked.add("skip " + step + ": " + reason);
        skipped.put(card.id() + step, reason);
        RunRecord run = begin("Skip " + step, card, Optional.empty());
        journal.close(run.number(), RunRecord.State.SKIPPED, Optional.of("skipped: " + reason), tick());
        return journal.run(run.number()).orElseThrow();
    }

    @Override
    public void close() {
        closed = true;
    }

    private RunRecord begin(String title, Situation.Subject card, Optional<Long> undoes) {
        return journal.begin(new Journal.Opening(SampleSite.SITE.id(), title, card.host(),
                Optional.of(new RunRecord.CardRef(card.id(), card.name())), "you, from this computer", undoes, tick()));
    }

    private RunRecord make(long run, Watcher watcher, Stop stop) throws InterruptedException {
        for (ChangeRecord change : journal.run(run).orElseThrow().changes()) {
            if (change.state() == ChangeRecord.State.DONE) {
                continue;
            }
            if (stop.asked()) {
                journal.close(run, RunRecord.State.STOPPED, Optional.of("stopped by you"), tick());
                watcher.moved(journal.run(run).orElseThrow());
                return journal.run(run).orElseThrow();
            }
            journal.starting(run, change.position(), Optional.empty(), tick());
            watcher.moved(journal.run(run).orElseThrow());
            gate.acquire();
            if (change.position() == failAt) {
                failAt = 0;
                journal.ended(run, change.position(), ChangeRecord.State.FAILED,
                        Optional.of("update-initramfs ended with exit 1: no space left on device"), tick());
                journal.close(run, RunRecord.State.FAILED, Optional.empty(), tick());
                watcher.moved(journal.run(run).orElseThrow());
                return journal.run(run).orElseThrow();
            }
            make(change.change());
            line(watcher, change.change().system() + " ssh", change.change().target(), "exit 0", 120);
            journal.ended(run, change.position(), ChangeRecord.State.DONE, Optional.empty(), tick());
            watcher.moved(journal.run(run).orElseThrow());
        }
        journal.close(run, RunRecord.State.DONE, Optional.of("both functions on vfio-pci, read 4 s after the boot"), tick());
        return journal.run(run).orElseThrow();
    }

    private void make(Change change) {
        switch (change) {
            case FileChange c -> {
                if (c.after().absent()) {
                    files.remove(c.host() + c.path());
                } else {
                    files.put(c.host() + c.path(), c.after());
                }
            }
            case HostReboot c -> booted.put(c.host(),
                    file(c.host(), MODPROBE).absent() ? "nouveau and snd_hda_intel" : "vfio-pci");
            case VmConfigChange c -> c.after().forEach((key, value) -> value.ifPresentOrElse(
                    v -> config.put(c.node() + key, v), () -> config.remove(c.node() + key)));
            case VmPowerCycle c -> {
                live.clear();
                live.putAll(config);
            }
            case CommandChange _, MappingChange _ -> { }
        }
    }

    private static Change inverse(Change change) {
        return switch (change) {
            case FileChange c -> c.inverse();
            case VmConfigChange c -> c.inverse();
            case MappingChange c -> c.inverse();
            case CommandChange c -> c;
            case HostReboot c -> c;
            case VmPowerCycle c -> c;
        };
    }

    private synchronized Instant tick() {
        now = now.plusMillis(100);
        return now;
    }

    private void line(Watcher watcher, String system, String text, String outcome, long millis) {
        watcher.line(new Watcher.Line(tick(), system, text, Optional.of(outcome), Optional.of(Duration.ofMillis(millis))));
    }

    String driver(String host) {
        return booted.getOrDefault(host, "nouveau and snd_hda_intel");
    }

    Optional<String> config(String host, String key) {
        return Optional.ofNullable(config.get(host + key));
    }

    boolean live(String host, String key) {
        return live.containsKey(host + key);
    }

    Optional<String> skipped(String cardId, String step) {
        return Optional.ofNullable(skipped.get(cardId + step));
    }

    int lines() {
        return longFile;
    }

    Instant now() {
        return now;
    }

    /** The steps of one card as they stand now. */
    private record SampleSteps(SampleJourney world, Situation.Subject card, Choices choices) {

        List<CardPlan.Planned> all() {
            return List.of(
                    step("iommu", Floor.FIRMWARE, "host", "Turn on the IOMMU",
                            "Without an IOMMU the host cannot hand a whole card to a VM. Firmware and kernel must both "
                                    + "have it on; the kernel shows whether it works.",
                            Answer.of(Answer.State.DONE, "already on, 21 groups", List.of(iommu()))),
                    step("group", Floor.FIRMWARE, "host", "Check the IOMMU group",
                            "Whatever shares the card's group leaves the host together with it. Proxmox takes the whole "
                                    + "group when the VM starts, and says nothing about it.",
                            Answer.of(Answer.State.DONE, "group 14 holds only this card", List.of(group()))),
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
            Content modules = world.file(host, MODULES);
            Content before = modules.absent() ? Content.of("vfio\n") : modules;
            Content after = Content.of("vfio\nvfio_iommu_type1\nvfio_pci\n");
            List<Change> changes = new ArrayList<>();
            if (!world.file(host, MODPROBE).equals(Content.of(text.toString()))) {
                changes.add(new FileChange(host, MODPROBE, world.file(host, MODPROBE), Content.of(text.toString()), "new file"));
            }
            if (!before.equals(after)) {
                changes.add(new FileChange(host, MODULES, before, after, "2 lines added"));
            }
            changes.addAll(List.of(new CommandChange(host, List.of("update-initramfs", "-u", "-k", "all"), "", Duration.ofSeconds(40),
                            Duration.ofMinutes(10)),
                    new HostReboot(host, List.of(new HostReboot.Guest(112, "rke2-master-2", true),
                            new HostReboot.Guest(122, "rke2-worker-dc2-gpu-a", true),
                            new HostReboot.Guest(131, "harbor", true)), Duration.ofMinutes(2), Duration.ofMinutes(10))));
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
            if (!bound()) {
                return Answer.of(Answer.State.WAITING, "waits for vfio-pci", List.of());
            }
            if (attached()) {
                return Answer.of(Answer.State.DONE, "hostpci0, q35", List.of());
            }
            TreeMap<String, Optional<String>> before = new TreeMap<>(Map.of("hostpci0", Optional.empty(), "balloon",
                    Optional.of("8192"), "machine", Optional.of("pc-i440fx-8.1")));
            TreeMap<String, Optional<String>> after = new TreeMap<>(Map.of("hostpci0", Optional.of("0000:01:00,pcie=1"),
                    "balloon", Optional.of("0"), "machine", Optional.of("q35")));
            return Answer.ready("1 change", List.of(), List.of(new VmConfigChange(card.host(), 122, before, after, "3 keys")));
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
}
