package dev.pitwall.journey.guest;

import dev.pitwall.card.Floor;
import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.read.PropertyText;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the guest itself lists the card. Which driver it has there is not asked here. */
final class GuestStep implements Step {
    private final GuestTexts texts;
    private static final String NO_RIGHT = "guest.agentRight";

    private final VmStep vmStep;

    GuestStep(GuestTexts texts, VmStep vmStep) {
        this.texts = texts;
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
        Optional<Answer> before = vmStep.before(s);
        if (before.isPresent()) {
            return before.get();
        }
        VmSurvey vm = s.vm().orElseThrow();
        if (!vm.running() || new CardEntries(s).of(vm.live()).isEmpty()) {
            return Answer.of(State.WAITING, texts.say("waits.power"), List.of());
        }
        return vm.guest().map(listed -> judge(s, vm, listed)).orElseGet(() -> unseen(s, vm));
    }

    private Answer unseen(Situation s, VmSurvey vm) {
        Evidence evidence = new Evidence(s);
        List.of("agent", "guest").stream().filter(vm.shown()::containsKey).forEach(shown -> evidence.vm(shown,
                texts.say("row.inside"), vm.shown().get(shown).raw().strip(), Mark.UNKNOWN, ""));
        String why = blindness(vm);
        // A right that is missing is not there a moment later either: nobody need wait for it.
        return Answer.of(why.equals(NO_RIGHT) ? State.BLOCKED : State.UNKNOWN,
                texts.say(why, vm.vmid(), vm.caller().user()), evidence.rows()).noting(texts.say("guest.wayOut", vm.vmid()));
    }

    private static String blindness(VmSurvey vm) {
        if (vm.agent().isPresent()) {
            return vm.agent().get() ? "guest.agentBlind" : "guest.agentSilent";
        }
        return PropertyText.parse(vm.live().getOrDefault("agent", ""), "enabled").flag("enabled") ? NO_RIGHT
                : "guest.agentOff";
    }

    private Answer judge(Situation s, VmSurvey vm, List<PciFunction> listed) {
        Evidence evidence = new Evidence(s);
        List<String> missing = new ArrayList<>();
        for (PciFunction function : s.host().slot(s.card().slot())) {
            boolean there = seen(listed, function) >= passed(s, vm, function);
            evidence.vm("guest", name(function), texts.say(there ? "row.listed" : "row.notListed"), there ? Mark.OK : Mark.BAD,
                    function.vendorDevice().orElse(""));
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
