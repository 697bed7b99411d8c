package dev.pitwall.journey.guest;

import dev.pitwall.card.Floor;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.drain.Departure;
import dev.pitwall.journey.guest.CardEntries.Entry;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.read.PropertyText;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Makes what is pending live: the guest shuts down, and the VM starts again; a VM that is off is only started. */
final class PowerCycleStep implements Step {
    /** HA lets a VM that is to be in one of these states not run, and a start sets another. */
    static final Set<String> KEPT_OFF = Set.of("stopped", "disabled");

    private final Sentences texts;
    private final GuestSettings settings;
    private final VmStep vmStep;
    private final AttachStep attach;
    private final VmLock lock;
    private final VmMemory memory;
    private final ResetAtStart reset;

    PowerCycleStep(Sentences texts, GuestSettings settings, VmStep vmStep, AttachStep attach) {
        this.texts = texts;
        this.settings = settings;
        this.vmStep = vmStep;
        this.attach = attach;
        this.lock = new VmLock(texts);
        this.memory = new VmMemory(texts);
        this.reset = new ResetAtStart(texts);
    }

    @Override
    public String id() {
        return "power-cycle";
    }

    @Override
    public Floor floor() {
        return Floor.VM;
    }

    @Override
    public Set<String> keys() {
        return Set.of(ResetAtStart.KEY, Departure.KEY);
    }

    @Override
    public Answer look(Situation s) {
        return vmStep.then(s, this::ofVm);
    }

    private Answer ofVm(Situation s) {
        VmSurvey vm = s.vm().orElseThrow();
        Answer attached = attach.ofVm(s);
        if (attached.state() == State.DONE || s.leftOut().contains(attach.id())) {
            return withCard(s);
        }
        List<Found> found = found(s, vm, pending(vm));
        return attached.intended().isEmpty() ? Answer.of(State.WAITING, texts.say("waits.attach"), found)
                : withCard(Afterwards.of(s, attached.intended())).until(texts.say("waits.attach"), found);
    }

    private Answer withCard(Situation s) {
        VmSurvey vm = s.vm().orElseThrow();
        List<String> pending = pending(vm);
        List<Found> found = found(s, vm, pending);
        CardEntries entries = new CardEntries(s);
        if (entries.of(vm.config()).isEmpty()) {
            return Answer.of(State.WAITING, texts.say("waits.attach"), found);
        }
        if (vm.running() && pending.isEmpty() && !entries.of(vm.live()).isEmpty() && !halted(vm)) {
            return Answer.of(State.DONE, texts.say("power.done", vm.vmid()), found);
        }
        Departure pods = Departure.ofVm(s, vm.vmid());
        List<Change> changes = List.of(new VmPowerCycle(vm.node(), vm.vmid(), vm.name(), pods.nodes().stream().findFirst(),
                shutdown(vm), start(vm)));
        return stopped(s, vm, found).or(() -> pods.holds(found)).map(answer -> answer.foreseeing(changes))
                .orElseGet(() -> Answer.ready(vm.running() ? texts.say("power.pending", String.join(", ", pending))
                        : texts.say("power.off", vm.vmid()), found, changes))
                .noting(notes(s, vm)).noting(pods.notes()).asking(pods.questions().toArray(Answer.Question[]::new))
                .asking(reset.question(s).stream().toArray(Answer.Question[]::new));
    }

    /** Keys that the running guest has otherwise than they are configured. */
    List<String> pending(VmSurvey vm) {
        if (!vm.running()) {
            return List.of();
        }
        TreeSet<String> keys = new TreeSet<>(vm.config().keySet());
        keys.addAll(vm.live().keySet());
        return keys.stream().filter(settings::waitsForPower)
                .filter(key -> !Objects.equals(vm.config().get(key), vm.live().get(key))).toList();
    }

    private static boolean halted(VmSurvey vm) {
        return vm.qmp().filter(state -> !state.equals("running")).isPresent();
    }

    /** Why it may not be power-cycled now. */
    private Optional<Answer> stopped(Situation s, VmSurvey vm, List<Found> found) {
        Optional<Answer> locked = lock.stops(vm, found);
        if (locked.isPresent()) {
            return locked;
        }
        if (vm.running() && halted(vm)) {
            return Optional.of(vm.qmp().get().equals("prelaunch")
                    ? Answer.of(State.WAITING, texts.say("power.prelaunch", vm.vmid()), found)
                    : Answer.of(State.BLOCKED, texts.say("power.paused", vm.vmid(), vm.qmp().get()), found));
        }
        return refusal(s, vm).map(why -> Answer.of(State.BLOCKED, why, found))
                .or(() -> HostReadiness.waitsFor(s)
                        .map(step -> Answer.of(State.WAITING, texts.say("waits." + step), found)));
    }

    private Optional<String> refusal(Situation s, VmSurvey vm) {
        CardEntries entries = new CardEntries(s);
        List<Guest> others = ChosenVm.others(s, vm.vmid()).stream().filter(Guest::running).toList();
        boolean hasIt = vm.running() && !entries.of(vm.live()).isEmpty();
        if (!others.isEmpty() && !hasIt) {
            return Optional.of(texts.say("vm.otherRuns", others.getFirst().id() + " " + others.getFirst().name()));
        }
        if (s.host().slot(s.card().slot()).stream().map(PciFunction::revision)
                .anyMatch(r -> r.filter("ff"::equals).isPresent())) {
            return Optional.of(texts.say("power.lost", s.host().host()));
        }
        Optional<Entry> dead = entries.all(vm.config()).stream().filter(e -> entries.dead(e) && !entries.hidden(e))
                .findFirst();
        if (dead.isPresent()) {
            return Optional.of(texts.say("power.dead", dead.get().key(), dead.get().text().text("host"),
                    s.host().host()));
        }
        Optional<String> ha = vm.ha().filter(KEPT_OFF::contains);
        if (ha.isPresent()) {
            return Optional.of(texts.say("power.haOff", vm.vmid(), ha.get()));
        }
        return memory.tooMuch(s, vm).or(() -> hasIt ? Optional.empty() : reset.refusal(s)).or(() -> s.datacenter()
                .filter(d -> !d.grants().holds("/vms/" + vm.vmid(), "VM.PowerMgmt"))
                .map(d -> texts.say("rights.missing", vm.caller().user(),
                        texts.say("right.on", "VM.PowerMgmt", "/vms/" + vm.vmid()))));
    }

    /** What is to be known before the guest goes down. */
    private List<String> notes(Situation s, VmSurvey vm) {
        List<String> notes = new ArrayList<>();
        if (vm.running()) {
            if (vm.agent().filter(answers -> answers).isEmpty()) {
                notes.add(texts.say("note.acpi", shutdown(vm).toMinutes()));
            }
            if (vm.config().getOrDefault("ostype", "").matches("w(in|2k|xp|vista).*")) {
                notes.add(texts.say("note.windows"));
            }
            notes.add(texts.say("note.vram"));
        }
        vm.ha().ifPresent(state -> notes.add(texts.say("note.haPower", vm.vmid(), state)));
        memory.note(s, vm).ifPresent(notes::add);
        reset.note(s).ifPresent(notes::add);
        return notes;
    }

    /** The VM's own {@code startup: down=} where that is longer. */
    private Duration shutdown(VmSurvey vm) {
        Duration own = Duration.ofSeconds(Optional.ofNullable(vm.config().get("startup"))
                .flatMap(text -> PropertyText.parse(text, "order").get("down"))
                .filter(down -> down.matches("\\d{1,6}")).map(Long::valueOf).orElse(0L));
        Duration usual = settings.seconds("shutdownSeconds");
        return own.compareTo(usual) > 0 ? own : usual;
    }

    /**
     * The time after which Proxmox itself gives up, and a margin: the larger of 30 s and 1 s a GiB, four times with a
     * card, at least 150 s with huge pages, and 5 s a network card (facts 1.8).
     */
    private Duration start(VmSurvey vm) {
        long seconds = Math.max(30, VmMemory.configured(vm.config()) / 1024) * 4;
        seconds = vm.config().containsKey("hugepages") ? Math.max(150, seconds) : seconds;
        seconds += 5 * vm.config().keySet().stream().filter(key -> key.matches("net\\d+")).count();
        return settings.seconds("startMarginSeconds").plusSeconds(seconds);
    }

    private List<Found> found(Situation s, VmSurvey vm, List<String> pending) {
        VmEvidence evidence = new VmEvidence(s);
        evidence.vm(Showing.STATUS, texts.say("row.status"), vm.qmp().orElse(vm.status()),
                vm.running() && !halted(vm) ? Mark.OK : Mark.ATTENTION, "\"status\"");
        evidence.vm(Showing.PENDING, texts.say("row.pending"), pending.isEmpty() ? texts.say("row.pending.none")
                        : pending.stream().map(key -> texts.say("row.pending.key", key,
                                vm.live().getOrDefault(key, "–"),
                        vm.config().getOrDefault(key, "–"))).collect(Collectors.joining(" · ")),
                pending.isEmpty() ? Mark.OK : Mark.ATTENTION, "");
        vm.lock().ifPresent(text -> evidence.vm(Showing.STATUS, texts.say("row.lock"), text, Mark.ATTENTION,
                "\"lock\""));
        vm.ha().ifPresent(state -> evidence.vm(Showing.HA, texts.say("row.ha"), state, Mark.INFO, "\"state\""));
        return evidence.rows();
    }
}
