package dev.pitwall.journey.consent;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Choices;
import java.util.List;

/** The choice to write what others keep: they will write it back, and whoever chooses it knows that. */
public final class TakeOver {
    public static final String KEY = "take-over";
    private static final String YES = "yes";
    private static final String NO = "no";

    private final Sentences texts = new Sentences("journey/consent");

    /** True if it is chosen. */
    public static boolean chosen(Choices choices) {
        return choices.get(KEY).filter(YES::equals).isPresent();
    }

    /** The answer, asking for the choice if it does not already. */
    public Answer asked(Answer answer, Choices choices) {
        return answer.questions().stream().anyMatch(q -> q.key().equals(KEY)) ? answer
                : answer.asking(new Question(KEY, texts.say("ask.takeOver"), List.of(
                        new Option(NO, texts.say("ask.takeOver.no"), texts.say("ask.takeOver.no.note")),
                        new Option(YES, texts.say("ask.takeOver.yes"), texts.say("ask.takeOver.yes.note"))),
                        chosen(choices) ? YES : NO));
    }
}
