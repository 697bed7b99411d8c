package dev.pitwall.ui.run;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.ui.words.Texts;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A plan in the words of the window. Steps name a choice as the command line takes it, for example {@code drain=skip}; here
 * it is what stands on the screen: the label of the answer, or the question.
 */
final class WindowWords {
    private static final Pattern CHOICE = Pattern.compile("(--set )?\\b([a-z][a-z-]*)=(\u2026|[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]|[A-Za-z0-9])");

    private final Texts texts;

    WindowWords(Texts texts) {
        this.texts = texts;
    }

    CardPlan of(CardPlan plan) {
        List<Question> asked = plan.steps().stream().flatMap(s -> s.answer().questions().stream()).toList();
        return new CardPlan(plan.card(), plan.choices(), plan.at(), plan.steps().stream().map(s ->
                new Planned(s.id(), s.floor(), s.text(), of(s.answer(), asked))).toList());
    }

    private Answer of(Answer answer, List<Question> asked) {
        return new Answer(answer.state(), of(answer.why(), asked), answer.found(), answer.changes(), answer.foreseen(),
                answer.notes().stream().map(n -> of(n, asked)).toList(), answer.questions(), answer.coming());
    }

    private String of(String sentence, List<Question> asked) {
        return CHOICE.matcher(sentence).replaceAll(m -> Matcher.quoteReplacement(of(m, asked)));
    }

    /** A word that no question has as its key is none of Pitwall's, for example {@code pcie=1}. */
    private String of(MatchResult choice, List<Question> asked) {
        Optional<Question> question = asked.stream().filter(q -> q.key().equals(choice.group(2))).findFirst();
        if (question.isEmpty()) {
            return choice.group(1) == null ? choice.group() : texts.get("setup.choice.elsewhere", choice.group(2));
        }
        return texts.get("setup.choice", question.get().options().stream().filter(o -> o.value().equals(choice.group(3)))
                .findFirst().map(Option::label).orElse(question.get().text()));
    }
}
