package dev.pitwall.journey.guest;

import dev.pitwall.card.Floor;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.Survey;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.journey.survey.ShellNode;
import dev.pitwall.journey.survey.Shown;
import dev.pitwall.journey.survey.TalosNode;
import dev.pitwall.journey.survey.TalosShowing;
import dev.pitwall.journey.survey.UnreadNode;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.read.PropertyText;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Whether the guest itself lists the card. Which driver it has there is not asked here. */
final class GuestStep implements Step {
    private final Sentences texts;
    private final GuestSettings settings;
    private final VmStep vmStep;

    GuestStep(Sentences texts, GuestSettings settings, VmStep vmStep) {
        this.texts = texts;
        this.settings = settings;
        this.vmStep = vmStep;
    }

    @Override
    public String id() {
        return "guest";
    }

    @Override
    public Floor floor() {
        return Floor.VM;
    }

    @Override
    public Nature nature() {
        return Nature.CHECKS;
    }

    @Override
    public Answer look(Situation s) {
        return vmStep.then(s, this::ofVm);
    }

    /** Where neither an agent nor a shell tells, the node's own API may. */
    @Override
    public Set<Survey> needs(Situation known) {
        Set<Survey> needs = Survey.of(floor());
        if (known.vm().filter(vm -> vm.running() && vm.guest().isEmpty()).isPresent()) {
            needs.add(Survey.NODE);
        }
        return needs;
    }

    private Answer ofVm(Situation s) {
        VmSurvey vm = s.vm().orElseThrow();
        if (!vm.running() || new CardEntries(s).of(vm.live()).isEmpty()) {
            return Answer.of(State.WAITING, texts.say("waits.power"), List.of());
        }
        return inside(s, vm).map(inside -> judge(s, vm, inside)).orElseGet(() -> unseen(s, vm));
    }

    /**
     * What lists the guest's devices.
     *
     * @param by  what showed it; empty where that was not kept
     * @param ids how it names a function: by {@code vendor:device} as lspci does, or by the device alone
     */
    private record Inside(List<PciFunction> listed, Optional<Shown> by, Ids ids) {
        enum Ids { VENDOR_AND_DEVICE, DEVICE }

        String deciding(PciFunction function) {
            String id = function.vendorDevice().orElse("");
            return ids == Ids.DEVICE ? id.substring(id.indexOf(':') + 1) : id;
        }
    }

    /** The agent or a shell tells, and of a node without either its own API. */
    private static Optional<Inside> inside(Situation s, VmSurvey vm) {
        if (vm.guest().isPresent()) {
            return Optional.of(new Inside(vm.guest().get(), Optional.ofNullable(vm.shown().get(Showing.GUEST.key())),
                    Inside.Ids.VENDOR_AND_DEVICE));
        }
        return s.node().flatMap(node -> switch (node) {
            case TalosNode talos when !talos.unread().containsKey(TalosShowing.DEVICES.key()) -> Optional.of(new Inside(
                    talos.devices(), Optional.ofNullable(talos.shown().get(TalosShowing.DEVICES.key())), Inside.Ids.DEVICE));
            case TalosNode talos -> Optional.empty();
            case ShellNode shell -> Optional.empty();
            case UnreadNode unread -> Optional.empty();
        });
    }

    private Answer unseen(Situation s, VmSurvey vm) {
        VmEvidence evidence = new VmEvidence(s);
        Stream.of(Showing.AGENT, Showing.GUEST).filter(what -> vm.shown().containsKey(what.key())).forEach(what -> evidence.vm(
                what, texts.say("row.inside"), vm.shown().get(what.key()).raw().strip(), Mark.UNKNOWN, ""));
        if (mayStillAnswer(s, vm)) {
            return Answer.of(State.WAITING, texts.say("guest.starting", vm.vmid()), evidence.rows());
        }
        return Answer.of(State.UNKNOWN, texts.say(blindness(vm), vm.vmid(), vm.caller().user()), evidence.rows())
                .noting(texts.say("guest.wayOut", vm.vmid()));
    }

    /** Silence of an agent or of a shell that is known ends with the guest's start; a right that is missing does not. */
    private boolean mayStillAnswer(Situation s, VmSurvey vm) {
        boolean young = vm.uptimeSeconds().orElse(Long.MAX_VALUE) < settings.seconds("guestStartSeconds").toSeconds();
        boolean silentShell = Optional.ofNullable(vm.shown().get(Showing.GUEST.key())).filter(shown -> !shown.ok()).isPresent();
        boolean silentNode = s.node().filter(UnreadNode.class::isInstance).isPresent();
        return young && (silentNode || vm.agent().map(answers -> !answers).orElse(silentShell));
    }

    private static String blindness(VmSurvey vm) {
        if (vm.agent().isPresent()) {
            return vm.agent().get() ? "guest.agentBlind" : "guest.agentSilent";
        }
        return PropertyText.parse(vm.live().getOrDefault("agent", ""), "enabled").flag("enabled") ? "guest.agentRight"
                : "guest.agentOff";
    }

    private Answer judge(Situation s, VmSurvey vm, Inside inside) {
        VmEvidence evidence = new VmEvidence(s);
        List<String> missing = new ArrayList<>();
        for (PciFunction function : s.host().slot(s.card().slot())) {
            boolean there = seen(inside.listed(), function) >= passed(s, vm, function);
            evidence.inside(inside.by(), name(function), texts.say(there ? "row.listed" : "row.notListed"), there ? Mark.OK : Mark.BAD,
                    inside.deciding(function));
            if (!there) {
                missing.add(name(function));
            }
        }
        return missing.isEmpty()
                ? Answer.of(State.DONE, texts.say("guest.done", s.host().slot(s.card().slot()).size()), evidence.rows())
                : Answer.of(State.BLOCKED, texts.say(missing.size() == s.host().slot(s.card().slot()).size() ? "guest.none"
                : "guest.part", vm.vmid(), String.join(", ", missing)), evidence.rows());
    }

    private static long seen(List<PciFunction> listed, PciFunction function) {
        return listed.stream().filter(f -> f.vendorDevice().equals(function.vendorDevice())).count();
    }

    /** A guest with two equal cards must list this function's ids twice: ids alone do not tell twins apart. */
    private static long passed(Situation s, VmSurvey vm, PciFunction function) {
        return new CardEntries(s).all(vm.live()).stream().mapToLong(entry -> {
            long named = s.host().functions().stream().filter(f -> f.vendorDevice().equals(function.vendorDevice()))
                    .filter(f -> entry.addresses().stream().anyMatch(a -> a.equals(f.address()) || a.equals(f.address().slot())))
                    .count();
            // A mapping of several cards gives one of them.
            return entry.raw() ? named : Math.min(named, 1);
        }).sum();
    }

    private String name(PciFunction function) {
        String what = function.className().or(function::classCode).orElse(texts.say("row.function"));
        return what + " " + function.vendorDevice().orElse(function.address().toString());
    }
}
