package dev.pitwall.ui.setup;

import dev.pitwall.journey.Answer;
import java.util.List;

/** A question of a step. */
record QuestionLine(String key, String text, List<Answer.Option> options, String chosen, Form form) {

    private static final int SEGMENT_OPTIONS = 3;
    private static final int SEGMENT_LETTERS = 36;
    private static final int RADIO_OPTIONS = 6;

    /** How its options are offered. */
    enum Form { SEGMENT, RADIO, MENU }

    static QuestionLine of(Answer.Question question) {
        return new QuestionLine(question.key(), question.text(), question.options(), question.chosen(),
                form(question.options()));
    }

    private static Form form(List<Answer.Option> options) {
        boolean brief = options.size() <= SEGMENT_OPTIONS && options.stream().allMatch(o -> o.note().isEmpty())
                && options.stream().mapToInt(o -> o.label().length()).sum() <= SEGMENT_LETTERS;
        return brief ? Form.SEGMENT : options.size() <= RADIO_OPTIONS ? Form.RADIO : Form.MENU;
    }

    /** What follows from the option that is chosen; may be empty. */
    String note() {
        return options.stream().filter(o -> o.value().equals(chosen)).map(Answer.Option::note).findFirst().orElse("");
    }
}
