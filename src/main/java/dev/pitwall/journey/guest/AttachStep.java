package dev.pitwall.journey.guest;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.guest.CardEntries.Entry;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.read.PropertyText;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Puts the card and the settings it needs into the VM's configuration. */
final class AttachStep implements Step {
    private final Sentences texts;
    private final GuestSettings settings;
    private final VmStep vmStep;
    private final MachinePart machine;
    private final SettingsPart more;
    private final DevicePart device;
    private final VmMemory memory;
    private final VmLock lock;

    AttachStep(Sentences texts, GuestSettings settings, VmStep vmStep) {
        this.texts = texts;
        this.settings = settings;
        this.vmStep = vmStep;
        this.machine = new MachinePart(texts);
        this.more = new SettingsPart(texts);
        this.device = new DevicePart(texts);
        this.memory = new VmMemory(texts);
        this.lock = new VmLock(texts);
    }

    @Override
    public String id() {
        return "attach";
    }

    @Override
    public Floor floor() {
        return Floor.VM;
    }

    @Override
    public Set<String> keys() {
        return Set.of(MachinePart.KEY, "via", MappingPart.KEY, "cpu", "agent", SettingsPart.EFI);
    }

    @Override
    public Answer look(Situation s) {
        return vmStep.then(s, this::ofVm);
    }

    /** What it says of a VM that is chosen, or about to be made. */
    Answer ofVm(Situation s) {
        Draft draft = new Draft(s.vm().orElseThrow());
        device.plan(s, machine.plan(s.choices(), draft), draft);
        more.plan(s, draft);
        memory.note(s, draft.vm()).ifPresent(draft::note);
        rights(draft);
        List<Found> found = found(s, draft.vm());
        Answer answer = judge(s, draft, found).noting(draft.notes());
        return answer.asking(draft.questions().toArray(Answer.Question[]::new));
    }

    private Answer judge(Situation s, Draft draft, List<Found> found) {
        if (draft.refusal().isPresent()) {
            return Answer.of(State.BLOCKED, draft.refusal().get(), found);
        }
        if (draft.empty()) {
            return Answer.of(State.DONE, texts.say("attach.done", draft.vm().vmid(), keys(s, draft.vm())), found);
        }
        return Optional.<Answer>empty()
                .or(() -> memory.tooMuch(s, draft.vm()).map(why -> Answer.of(State.BLOCKED, why, found)))
                .or(() -> missing(s, draft).map(why -> Answer.of(State.BLOCKED, why, found)))
                .or(() -> HostReadiness.waitsFor(s)
                        .map(step -> Answer.waiting(texts.say("waits." + step), found, changes(draft))))
                .or(() -> lock.stops(draft.vm(), found).map(answer -> answer.foreseeing(changes(draft))))
                .orElseGet(() -> Answer.ready(texts.say("attach.ready", draft.vm().vmid()), found, changes(draft)));
    }

    private List<Change> changes(Draft draft) {
        int keys = draft.keys().size();
        return draft.changes(texts.say(keys == 1 ? "change.key" : "change.keys", keys));
    }

    private static String keys(Situation s, VmSurvey vm) {
        return new CardEntries(s).of(vm.config()).stream().map(Entry::key).collect(Collectors.joining(", "));
    }

    private void rights(Draft draft) {
        draft.keys().forEach(key -> draft.need("/vms/" + draft.vm().vmid(), settings.right(key)));
    }

    private Optional<String> missing(Situation s, Draft draft) {
        List<String> missing = new ArrayList<>();
        s.datacenter().map(DatacenterSurvey::grants).ifPresent(grants -> draft.needs().forEach((path, rights) -> rights.stream()
                .filter(right -> !grants.holds(path, right)).forEach(right -> missing.add(texts.say("right.on", right, path)))));
        return missing.isEmpty() ? Optional.empty()
                : Optional.of(texts.say("rights.missing", draft.vm().caller().user(), String.join(", ", missing)));
    }

    private List<Found> found(Situation s, VmSurvey vm) {
        VmEvidence evidence = new VmEvidence(s);
        CardEntries entries = new CardEntries(s);
        List<Entry> present = entries.of(vm.config());
        evidence.vm(Showing.CONFIG, texts.say("row.card"), present.isEmpty() ? texts.say("row.card.none")
                        : present.stream().map(e -> e.key() + ": " + e.text().text("host")).collect(Collectors.joining(" · ")),
                present.isEmpty() ? Mark.INFO : present.stream().anyMatch(entries::whole) ? Mark.OK : Mark.ATTENTION, "hostpci");
        PropertyText type = PropertyText.parse(vm.config().getOrDefault("machine", ""), "type");
        evidence.vm(Showing.CONFIG, texts.say("row.machine"), type.get("type").orElse("i440fx"),
                MachinePart.isQ35(type) ? Mark.OK : Mark.ATTENTION, "\"machine\"");
        evidence.vm(Showing.CONFIG, texts.say("row.firmware"), firmware(vm), Mark.INFO, "\"bios\"");
        String cpu = PropertyText.parse(vm.config().getOrDefault("cpu", "kvm64"), "cputype").get("cputype").orElse("kvm64");
        evidence.vm(Showing.CONFIG, texts.say("row.cpu"), cpu, cpu.equals("host") ? Mark.OK : Mark.ATTENTION, "\"cpu\"");
        String balloon = vm.config().getOrDefault("balloon", "");
        evidence.vm(Showing.CONFIG, texts.say("row.balloon"), texts.say(balloon.equals("0") ? "row.off" : "row.on"),
                balloon.equals("0") ? Mark.OK : Mark.ATTENTION, "\"balloon\"");
        memory.found(s, vm, evidence);
        evidence.datacenter(Showing.PERMISSIONS, texts.say("row.caller"), vm.caller().user(),
                vm.caller().root() ? Mark.OK : Mark.INFO, "");
        return evidence.rows();
    }

    private String firmware(VmSurvey vm) {
        if (!vm.config().getOrDefault("bios", "seabios").equals("ovmf")) {
            return "SeaBIOS";
        }
        return Optional.ofNullable(vm.config().get("efidisk0")).map(disk -> texts.say(
                        SettingsPart.secureBoot(PropertyText.parse(disk, "file")) ? "row.ovmf.secure" : "row.ovmf"))
                .orElse(texts.say("row.ovmf.noDisk"));
    }
}
