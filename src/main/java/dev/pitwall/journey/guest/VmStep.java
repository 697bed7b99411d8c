package dev.pitwall.journey.guest;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.guest.PresetVm.Candidate;
import dev.pitwall.journey.guest.PresetVm.Ground;
import dev.pitwall.journey.guest.PresetVm.Pick;
import dev.pitwall.journey.survey.HostNodes;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.journey.survey.Showing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which VM gets the card, or that none does. */
final class VmStep implements Step {
    private static final String VM = "vm";
    static final String METAL = "bare-metal";
    /** No VM has this id. */
    private static final int NOBODY = 0;

    private final Sentences texts;
    private final VmNotes notes;
    private final NewVm newVm;

    VmStep(Sentences texts, GuestSettings settings) {
        this.texts = texts;
        this.notes = new VmNotes(texts);
        this.newVm = new NewVm(texts, settings);
    }

    @Override
    public String id() {
        return VM;
    }

    @Override
    public Floor floor() {
        return Floor.VM;
    }

    @Override
    public Set<String> keys() {
        return Stream.concat(Stream.of("path", VM), NewVm.KEYS.stream()).collect(Collectors.toSet());
    }

    /** Why no VM step is needed; empty on the way through a VM. */
    Optional<Answer> notNeeded(Situation s) {
        if (s.host().proxmox().isEmpty()) {
            return Optional.of(Answer.of(State.NOT_APPLICABLE, texts.say("vm.noProxmox"), List.of()));
        }
        return s.choices().get("path").filter(METAL::equals).map(path ->
                Answer.of(State.NOT_APPLICABLE, texts.say("vm.metal"), List.of()));
    }

    /**
     * The answer of a later step: its own once a VM is chosen and may have the card. Of a VM that is yet to be made it
     * foresees what it would say.
     *
     * @param later asked only where there is a VM, or one is about to be made
     */
    Answer then(Situation s, Function<Situation, Answer> later) {
        Optional<Answer> none = notNeeded(s);
        if (none.isPresent()) {
            return none.get();
        }
        Answer answer = look(s);
        if (answer.state() == State.DONE && s.vm().isPresent()) {
            return later.apply(s);
        }
        String waits = texts.say("waits.vm");
        return answer.changes().isEmpty() ? Answer.of(State.WAITING, waits, List.of())
                : later.apply(Afterwards.of(s, answer.changes())).until(waits, List.of());
    }

    @Override
    public Answer look(Situation s) {
        Optional<Answer> none = notNeeded(s);
        if (none.isPresent()) {
            return s.host().proxmox().isEmpty() ? none.get()
                    : none.get().noting(texts.say("vm.metal.note", s.host().host())).asking(path(METAL));
        }
        Optional<String> path = s.choices().get("path").filter(p -> !p.equals(VM));
        if (path.isPresent()) {
            return Answer.of(State.BLOCKED, texts.say("vm.badPath", path.get()), List.of()).asking(path(VM));
        }
        OptionalInt chosen = ChosenVm.of(s);
        Answer answer = chosen.isPresent() ? chosen(s, guest(s, chosen.getAsInt())) : open(s);
        List<Question> asked = new ArrayList<>(List.of(path(VM), which(s, chosen)));
        asked.addAll(answer.questions());
        return new Answer(answer.state(), answer.why(), answer.found(), answer.changes(), answer.foreseen(), answer.notes(), asked,
                answer.coming());
    }

    private Answer open(Situation s) {
        String wish = s.choices().get(VM).orElse("");
        return switch (wish) {
            case "" -> Answer.of(State.WAITING, undecided(s), List.of());
            case "new" -> made(s, newVm.look(s));
            default -> Answer.of(State.BLOCKED, refusal(s, wish), List.of());
        };
    }

    private String undecided(Situation s) {
        if (s.hostNodes().flatMap(HostNodes::unread).isPresent()) {
            return texts.say("vm.chooseUnread", s.hostNodes().get().cluster());
        }
        return switch (ChosenVm.preset(s)) {
            case Pick.Several(List<Candidate> candidates, Ground ground) -> texts.say(switch (ground) {
                case MARKED -> "vm.severalMarked";
                case WORKER -> "vm.severalWorkers";
            }, names(candidates.stream().map(Candidate::vm).toList()));
            case Pick.Taken taken -> texts.say("vm.choose");
            case Pick.Nobody nobody -> texts.say("vm.choose");
        };
    }

    /** A VM that could not have the card in the end is not made first. */
    private Answer made(Situation s, Answer answer) {
        List<Guest> running = ChosenVm.others(s, NOBODY).stream().filter(Guest::running).toList();
        return answer.state() != State.READY || running.isEmpty() ? answer : new Answer(State.BLOCKED,
                texts.say("vm.otherRuns", names(running)), answer.found(), List.of(), answer.notes(), answer.questions());
    }

    private String refusal(Situation s, String wish) {
        Optional<Guest> guest = s.host().guests().stream().filter(g -> String.valueOf(g.id()).equals(wish)).findFirst();
        if (guest.isEmpty()) {
            return texts.say("vm.unknown", wish, s.host().host());
        }
        return texts.say(guest.get().type().equals("qemu") ? "vm.template" : "vm.container", wish, guest.get().name());
    }

    private Answer chosen(Situation s, Guest vm) {
        VmEvidence evidence = new VmEvidence(s);
        evidence.host(Showing.GUESTS, texts.say("row.vm"), texts.say(vm.running() ? "row.vm.runs" : "row.vm.off", vm.id(), vm.name()),
                Mark.OK, "");
        ChosenVm.node(s, vm).ifPresent(node -> evidence.host(Showing.GUESTS, texts.say("row.node"), node, Mark.INFO, ""));
        unasked(s).ifPresent(taken -> marks(s, taken, evidence));
        List<Guest> others = ChosenVm.others(s, vm.id());
        others.forEach(other -> evidence.host(Showing.GUESTS, texts.say("row.other"),
                texts.say(other.running() ? "row.vm.runs" : "row.vm.off", other.id(), other.name()),
                other.running() ? Mark.BAD : Mark.ATTENTION, ""));
        List<Guest> running = others.stream().filter(Guest::running).toList();
        Answer answer = running.isEmpty() || runsWithIt(s, vm)
                ? Answer.of(State.DONE, reason(s, vm), evidence.rows())
                : Answer.of(State.BLOCKED, texts.say("vm.otherRuns", names(running)), evidence.rows());
        return answer.noting(notes.of(s, vm));
    }

    private String reason(Situation s, Guest vm) {
        return unasked(s).map(taken -> texts.say(switch (taken.ground()) {
                    case MARKED -> "vm.takenMarked";
                    case WORKER -> "vm.takenWorker";
                }, vm.id(), vm.name(), s.host().host()))
                .orElseGet(() -> texts.say("vm.chosen", vm.id(), vm.name()));
    }

    /** The VM that was taken without a choice. */
    private static Optional<Pick.Taken> unasked(Situation s) {
        return switch (ChosenVm.preset(s)) {
            case Pick.Taken taken -> Optional.of(taken);
            case Pick.Several several -> Optional.empty();
            case Pick.Nobody nobody -> Optional.empty();
        };
    }

    private void marks(Situation s, Pick.Taken taken, VmEvidence evidence) {
        List<String> marks = new PresetVm(s).marks(taken.candidate());
        evidence.node(taken.candidate().object(), texts.say("row.meant"), marks.isEmpty() ? texts.say("row.meant.none")
                : String.join(" · ", marks), Mark.INFO, marks.stream().map(m -> m.split("=", 2)[0]).toList());
    }

    /** Then the card is its own, whatever another running VM is configured to get at its next start. */
    private static boolean runsWithIt(Situation s, Guest vm) {
        return vm.running() && s.vm().filter(survey -> survey.vmid() == vm.id())
                .filter(survey -> !new CardEntries(s).of(survey.live()).isEmpty()).isPresent();
    }

    private static String names(List<Guest> guests) {
        return guests.stream().map(g -> g.id() + " " + g.name()).collect(Collectors.joining(", "));
    }

    private Question path(String chosen) {
        return new Question("path", texts.say("ask.path"), List.of(
                new Option(VM, texts.say("ask.path.vm"), texts.say("ask.path.vm.note")),
                new Option(METAL, texts.say("ask.path.metal"), texts.say("ask.path.metal.note"))), chosen);
    }

    private Question which(Situation s, OptionalInt chosen) {
        List<Option> options = new ArrayList<>(s.host().guests().stream().filter(ChosenVm::isVm)
                .map(g -> new Option(String.valueOf(g.id()), g.id() + " " + g.name(), notes.option(s, g))).toList());
        options.add(new Option("new", texts.say("ask.vm.new"), texts.say("ask.vm.new.note")));
        boolean isNew = s.choices().get(VM).filter("new"::equals).isPresent();
        return new Question(VM, texts.say("ask.vm"), options,
                isNew ? "new" : chosen.isPresent() ? String.valueOf(chosen.getAsInt()) : "");
    }

    private static Guest guest(Situation s, int vmid) {
        return s.host().guests().stream().filter(g -> g.id() == vmid).findFirst().orElseThrow();
    }
}
