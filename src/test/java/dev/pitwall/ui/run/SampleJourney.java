package dev.pitwall.ui.run;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Aim;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.UndoPlan;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.Targets;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
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
import dev.pitwall.ui.SampleSite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/**
 * A wizard in memory: hosts with files, a boot that takes them up, and a VM each. It behaves as the real one does: a step
 * that is done stays done, a run writes its journal ahead, undo puts back what was there.
 */
public final class SampleJourney implements Journey {

    public static final String MODPROBE = "/etc/modprobe.d/zz-pitwall.conf";
    public static final String GRUB = "/etc/default/grub";
    public static final String MODULES = "/etc/modules-load.d/pitwall.conf";

    public final SampleJournal journal = new SampleJournal();
    public final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, Content> files = new ConcurrentHashMap<>();
    private final Map<String, String> booted = new ConcurrentHashMap<>();
    private final Map<String, String> config = new ConcurrentHashMap<>();
    private final Map<String, String> live = new ConcurrentHashMap<>();
    private final Set<String> iommuOff = ConcurrentHashMap.newKeySet();
    private final Map<String, String> skipped = new ConcurrentHashMap<>();
    private final Map<String, Trouble> silent = new ConcurrentHashMap<>();
    private volatile Semaphore gate = new Semaphore(Integer.MAX_VALUE / 2);
    private volatile Semaphore lookGate = new Semaphore(Integer.MAX_VALUE / 2);
    private volatile int failAt;
    private volatile int longFile = 1;
    private volatile boolean closed;
    private volatile boolean proof;
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

    /** The host's kernel was started with its IOMMU off. */
    public void iommuOff(String host) {
        iommuOff.add(host);
        files.put(host + GRUB, Content.of("GRUB_CMDLINE_LINUX_DEFAULT=\"quiet intel_iommu=off\"\n"));
    }

    boolean isIommuOff(String host) {
        return iommuOff.contains(host);
    }

    /** The cards are in a cluster, and can be proved. */
    public void withProof() {
        proof = true;
    }

    boolean hasProof() {
        return proof;
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
    public CardPlan look(Situation.Subject card, Choices choices, String last, Watcher watcher)
            throws TroubleException, InterruptedException {
        return look(card, choices, watcher);
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
    public List<String> together(CardPlan plan, String last) {
        List<String> ids = new ArrayList<>();
        for (CardPlan.Planned step : plan.steps()) {
            Answer.State state = step.answer().state();
            if (state == Answer.State.READY) {
                ids.add(step.id());
            } else if (!step.id().equals("group") && state != Answer.State.DONE
                    && state != Answer.State.NOT_APPLICABLE && state != Answer.State.SKIPPED) {
                break;
            }
            if (step.id().equals(last)) {
                break;
            }
        }
        return ids;
    }

    @Override
    public RunRecord apply(CardPlan plan, List<String> steps, Watcher watcher, Stop stop) throws InterruptedException {
        asked.add("apply " + plan.card().host() + " " + steps);
        RunRecord run = begin(plan.step(steps.getFirst()).orElseThrow().text().title(), plan.card(), Optional.empty());
        intend(run.number(), plan, steps);
        return make(run.number(), watcher, stop);
    }

    private void intend(long run, CardPlan plan, List<String> steps) {
        List<Journal.Intended> intended = plan.steps().stream().filter(s -> steps.contains(s.id()))
                .flatMap(s -> s.answer().changes().stream().map(c -> new Journal.Intended(s.id(), c))).toList();
        journal.add(run, Targets.once(intended, Journal.Intended::change));
    }

    @Override
    public RunRecord walk(Situation.Subject card, Choices choices, String last, Watcher watcher, Stop stop)
            throws TroubleException, InterruptedException {
        asked.add("walk " + card.host() + " to " + last);
        CardPlan plan = look(card, choices, watcher);
        watcher.previewed(plan);
        RunRecord run = begin("Set up to: " + last, card, Optional.empty());
        while (true) {
            watcher.looked(plan);
            List<String> steps = together(plan, last);
            if (steps.isEmpty()) {
                journal.close(run.number(), RunRecord.State.DONE, Optional.empty(), tick());
                return journal.run(run.number()).orElseThrow();
            }
            intend(run.number(), plan, steps);
            Optional<RunRecord> ended = makeAll(run.number(), watcher, stop);
            if (ended.isPresent()) {
                return ended.get();
            }
            plan = look(card, choices, watcher);
        }
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
                "you, from this computer", Optional.of(run), Aim.NONE, tick()));
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
                Optional.of(new RunRecord.CardRef(card.id(), card.name())), "you, from this computer", undoes, Aim.NONE, tick()));
    }

    private RunRecord make(long run, Watcher watcher, Stop stop) throws InterruptedException {
        Optional<RunRecord> ended = makeAll(run, watcher, stop);
        if (ended.isPresent()) {
            return ended.get();
        }
        journal.close(run, RunRecord.State.DONE, Optional.of("both functions on vfio-pci, read 4 s after the boot"), tick());
        return journal.run(run).orElseThrow();
    }

    /** @return the closed run if not all changes were made */
    private Optional<RunRecord> makeAll(long run, Watcher watcher, Stop stop) throws InterruptedException {
        for (ChangeRecord change : journal.run(run).orElseThrow().changes()) {
            if (change.state() == ChangeRecord.State.DONE) {
                continue;
            }
            if (stop.asked()) {
                journal.close(run, RunRecord.State.STOPPED, Optional.of("stopped by you"), tick());
                watcher.moved(journal.run(run).orElseThrow());
                return journal.run(run);
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
                return journal.run(run);
            }
            make(change.change());
            line(watcher, change.change().system() + " ssh", change.change().target(), "exit 0", 120);
            journal.ended(run, change.position(), ChangeRecord.State.DONE, said(change.change()), tick());
            watcher.moved(journal.run(run).orElseThrow());
        }
        return Optional.empty();
    }

    private static Optional<String> said(Change change) {
        return change instanceof PodRun ? Optional.of("Test PASSED in 2 s\n[Vector addition of 50000 elements]\nTest PASSED\nDone")
                : Optional.empty();
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
            case HostReboot c -> {
                booted.put(c.host(), file(c.host(), MODPROBE).absent() ? "nouveau and snd_hda_intel" : "vfio-pci");
                if (!file(c.host(), GRUB).text().contains("iommu=off")) {
                    iommuOff.remove(c.host());
                }
            }
            case VmConfigChange c -> c.after().forEach((key, value) -> value.ifPresentOrElse(
                    v -> config.put(c.node() + key, v), () -> config.remove(c.node() + key)));
            case VmPowerCycle c -> {
                live.clear();
                live.putAll(config);
            }
            case CommandChange _, MappingChange _, VmCreation _, VmRemoval _, ManifestChange _, HelmChange _, TalosUpgrade _,
                    TalosConfigChange _, PackageChange _,
                    NodeReboot _, PodRun _, PodRestart _, ModelChange _, ModelAsk _ -> { }
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
            case VmCreation c -> c.inverse();
            case VmRemoval c -> c;
            case ManifestChange c -> c.inverse();
            case HelmChange c -> c.inverse("");
            case TalosUpgrade c -> c.inverse();
            case TalosConfigChange c -> c.inverse();
            case PackageChange c -> c.inverse();
            case NodeReboot c -> c;
            case PodRun c -> c;
            case PodRestart c -> c;
            case ModelChange c -> c.inverse();
            case ModelAsk c -> c;
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
}
