package dev.pitwall.journey.host;

import dev.pitwall.card.Floor;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.drain.Departure;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.Showing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps an idle card from a sleep it does not wake from, where something speaks for it (facts: proxmox.md 2.5). */
final class IdlePowerStep implements Step {
    private final Sentences texts;
    private final WorkTimes times;
    private final Devices devices;
    private final BindStep bind;

    IdlePowerStep(Sentences texts, WorkTimes times, Devices devices, BindStep bind) {
        this.texts = texts;
        this.times = times;
        this.devices = devices;
        this.bind = bind;
    }

    @Override
    public String id() {
        return "idle-power";
    }

    @Override
    public Floor floor() {
        return Floor.VFIO;
    }

    @Override
    public Set<String> keys() {
        return Set.of(IdleSleep.KEY, Departure.KEY);
    }

    @Override
    public Answer look(Situation situation) {
        HostCard card = new HostCard(situation);
        return card.outOfReach(texts).orElseGet(() -> look(situation, card));
    }

    private Answer look(Situation situation, HostCard card) {
        IdleSleep sleep = new IdleSleep(card, texts);
        List<Found> found = rows(card, sleep);
        Answer answer = state(situation, card, sleep, found);
        return answer.asking(new Answer.Question(IdleSleep.KEY, texts.say("idle.ask"), List.of(
                new Answer.Option("no", texts.say("idle.no"), texts.say("idle.no.note")),
                new Answer.Option("yes", texts.say("idle.yes"), texts.say("idle.yes.note"))),
                sleep.wanted() ? "yes" : "no"));
    }

    private Answer state(Situation situation, HostCard card, IdleSleep sleep, List<Found> found) {
        if (card.dead() || sleep.givenUp() && sleep.asleep()) {
            return Answer.of(Answer.State.BLOCKED, texts.say("idle.dead", card.host().host()), found)
                    .noting(texts.say("idle.dead.note"));
        }
        if (sleep.prevented()) {
            return Answer.of(Answer.State.DONE, texts.say("idle.done"), found);
        }
        if (!sleep.wanted()) {
            return Answer.of(Answer.State.NOT_APPLICABLE, texts.say(sleep.refused() ? "idle.refused" : "idle.noSign"), found);
        }
        return switch (bind.look(situation).state()) {
            case DONE -> plan(card, sleep, found);
            case READY -> Answer.of(Answer.State.WAITING, texts.say("idle.withBind"), found);
            case WAITING -> plan(card, sleep, found).until(texts.say("waits.bind"), found);
            case BLOCKED, NOT_APPLICABLE, UNKNOWN, SKIPPED ->
                    Answer.of(Answer.State.WAITING, texts.say("waits.bind"), found);
        };
    }

    private Answer plan(HostCard card, IdleSleep sleep, List<Found> found) {
        List<HostSurvey.Guest> others = new CardUsers(card).otherVms();
        if (!others.isEmpty()) {
            // The reboot would end that VM, and the chosen one would come up with the card in its place.
            return Answer.of(Answer.State.BLOCKED, texts.say("bind.otherVm", texts.list(CardUsers.names(others))), found);
        }
        HostRestart restart = card.restart(times, texts);
        Optional<Answer> held = restart.holds(found);
        if (held.isPresent()) {
            return held.get();
        }
        var changes = new Binding(card, devices, times, texts).changes(restart);
        List<String> notes = new ArrayList<>();
        if (!sleep.signs().isEmpty()) {
            notes.add(texts.say("idle.because", texts.list(sleep.signs())));
        }
        notes.add(texts.say("idle.cost"));
        return restart.ending(Answer.ready(texts.say("ready", changes.size(), card.host().host()), found, changes)
                .noting(notes));
    }

    private List<Found> rows(HostCard card, IdleSleep sleep) {
        HostEvidence evidence = new HostEvidence(card.host());
        List<Found> rows = new ArrayList<>();
        rows.add(evidence.parameter(texts.say("row.parameter"), texts.say(sleep.prevented() ? "row.parameter.on"
                        : IdleSleep.configured(modprobe(card)) ? "row.parameter.notYet" : "row.parameter.off"),
                sleep.prevented() ? Mark.OK : Mark.INFO, IdleSleep.MODULE, IdleSleep.PARAMETER));
        rows.add(power(card, sleep, evidence));
        rows.add(reset(card, evidence));
        if (card.dead()) {
            rows.add(evidence.slot(texts.say("row.answers"), texts.say("row.answers.no"), Mark.BAD, card.slot(),
                    line -> line.contains("(rev ff)")));
        }
        sleep.wakeFailed().ifPresent(line -> rows.add(evidence.row(texts.say("row.kernelLog"), line,
                sleep.givenUp() ? Mark.BAD : Mark.ATTENTION, Showing.KERNEL_LOG, l -> l.contains(line))));
        List<HostSurvey.Guest> holders = CardUsers.holders(card);
        if (!holders.isEmpty()) {
            boolean arms = holders.stream().anyMatch(g -> !g.onboot());
            rows.add(evidence.row(texts.say("row.onboot"), texts.list(holders.stream().map(g -> texts.say(
                            g.onboot() ? "row.onboot.yes" : "row.onboot.no", g.id(), g.name())).toList()),
                    arms ? Mark.ATTENTION : Mark.OK, Showing.GUESTS));
        }
        return rows;
    }

    private ModprobeConfig modprobe(HostCard card) {
        return ModprobeConfig.of(card.host().files(), card.host().commandLine().options());
    }

    private Found power(HostCard card, IdleSleep sleep, HostEvidence evidence) {
        List<String> states = card.functions().stream().flatMap(f -> card.state(f).stream())
                .flatMap(s -> s.powerState().stream()).distinct().toList();
        Mark mark = sleep.asleep() ? Mark.ATTENTION : states.isEmpty() ? Mark.UNKNOWN : Mark.OK;
        return evidence.state(texts.say("row.power"), states.isEmpty() ? texts.say("row.unread") : texts.list(states),
                mark, sleep.deepest().orElse(card.functions().getFirst()).address(), "power_state");
    }

    /** Reset by the bus alone is normal; it needs all functions in one VM. vendor-reset is for AMD cards and never offered. */
    private Found reset(HostCard card, HostEvidence evidence) {
        PciFunction first = card.functions().getFirst();
        Optional<HostSurvey.FunctionState> state = card.state(first);
        String method = state.flatMap(HostSurvey.FunctionState::resetMethod).map(String::strip).orElse("");
        List<String> ways = method.isEmpty() ? List.of() : List.of(method.split("\\s+"));
        String key = state.isEmpty() ? "row.unread" : ways.isEmpty() ? "row.reset.none"
                : ways.equals(List.of("bus")) ? "row.reset.bus" : "row.reset.ways";
        return evidence.state(texts.say("row.reset"), texts.say(key, ways.stream().collect(Collectors.joining(", "))),
                state.isEmpty() ? Mark.UNKNOWN : ways.isEmpty() ? Mark.ATTENTION : Mark.INFO, first.address(),
                "reset_method");
    }
}
