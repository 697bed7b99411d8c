package dev.pitwall.ui.setup;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.Change;
import dev.pitwall.ui.change.ChangeLine;
import dev.pitwall.ui.change.ChangeLines;
import dev.pitwall.ui.change.CodeLine;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The right side of a step. Pure: the same plan and run give the same view. */
final class StepViews {

    private final Texts texts;
    private final ChangeLines lines;

    StepViews(Texts texts) {
        this.texts = texts;
        this.lines = new ChangeLines(texts);
    }

    /** @param run the run that is being made on this card now */
    StepView of(CardPlan plan, CardPlan.Planned step, Optional<RunRecord> run) {
        Answer answer = step.answer();
        Optional<List<ChangeLine>> made = run.map(r -> live(r, step.id())).filter(l -> !l.isEmpty());
        List<ChangeLine> changes = made.orElseGet(() -> lines.of(answer.intended()));
        boolean foreseen = made.isEmpty() && !answer.foreseen().isEmpty();
        int number = plan.steps().indexOf(step) + 1;
        return new StepView(step.id(),
                List.of(texts.get("page.setup"), plan.card().host(), texts.get("floor.title." + step.floor().wireName())),
                texts.get("setup.step.number", number, plan.steps().size()), step.text().title(),
                step.text().text().strip(), answer.found().stream().map(this::found).toList(),
                answer.questions().stream().filter(StepViews::asks).map(QuestionLine::of).toList(), answer.notes(),
                counted(answer.intended()), changes, changes.isEmpty() ? nothing(answer) : "",
                foreseen ? later(plan, step) : "");
    }

    /** A question with one answer, which is chosen, asks nothing here: another one can only be written on a command line. */
    private static boolean asks(Answer.Question question) {
        return question.options().size() != 1 || !question.options().getFirst().value().equals(question.chosen());
    }

    /** Names the step that is waited for where only one is left before this one. */
    private String later(CardPlan plan, CardPlan.Planned step) {
        List<CardPlan.Planned> before = plan.steps().stream().takeWhile(s -> s != step)
                .filter(s -> s.answer().state() == Answer.State.READY).toList();
        return before.size() == 1 ? texts.get("setup.later.step", before.getFirst().text().title())
                : texts.get("setup.later.why", step.answer().why());
    }

    private List<ChangeLine> live(RunRecord run, String step) {
        List<ChangeRecord> mine = run.changes().stream().filter(c -> c.step().equals(step)).toList();
        return mine.stream().map(lines::of).toList();
    }

    private String counted(List<Change> changes) {
        if (changes.isEmpty()) {
            return "";
        }
        List<String> systems = changes.stream().map(Change::system).distinct().toList();
        return changes.size() == 1 ? texts.get("setup.changes.one", systems.getFirst())
                : texts.get("setup.changes.many", changes.size(), String.join(", ", systems));
    }

    private String nothing(Answer answer) {
        return texts.get("setup.nothing." + answer.state().wireName(), answer.why());
    }

    private FoundLine found(Found found) {
        List<CodeLine> raw = new ArrayList<>();
        List<String> printed = found.raw().lines().toList();
        for (int i = 0; i < printed.size(); i++) {
            raw.add(new CodeLine("", "", printed.get(i),
                    found.deciding().contains(i + 1) ? look(found.mark()) : CodeLine.Look.PLAIN));
        }
        return new FoundLine(found.name(), found.value(), mark(found.mark()), tone(found.mark()),
                texts.get("setup.mark." + found.mark().name().toLowerCase(Locale.ROOT)), found.source().detail(),
                found.source().system(), found.at(), raw);
    }

    private static CodeLine.Look look(Found.Mark mark) {
        return switch (mark) {
            case OK -> CodeLine.Look.GOOD;
            case INFO, UNKNOWN -> CodeLine.Look.NOTED;
            case ATTENTION -> CodeLine.Look.SYMPTOM;
            case BAD -> CodeLine.Look.DECIDES;
        };
    }

    private static Mark mark(Found.Mark mark) {
        return switch (mark) {
            case OK -> Mark.OK;
            case INFO -> Mark.INFO;
            case ATTENTION -> Mark.TRIANGLE;
            case BAD -> Mark.FAILING;
            case UNKNOWN -> Mark.QUESTION;
        };
    }

    private static Tone tone(Found.Mark mark) {
        return switch (mark) {
            case OK -> Tone.OK;
            case INFO, UNKNOWN -> Tone.GREY;
            case ATTENTION -> Tone.BLOCKED;
            case BAD -> Tone.FAILING;
        };
    }
}
