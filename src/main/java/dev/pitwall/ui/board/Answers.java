package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.Preview;
import dev.pitwall.engine.live.Preview.Figures;
import dev.pitwall.engine.live.Preview.Victim;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a card says to what is carried over it: the engine's preview in words. Pure. */
final class Answers {

    private static final int NAMED = 3;
    private static final char NO_BREAK = '\u00a0';

    private final Texts texts;

    Answers(Texts texts) {
        this.texts = texts;
    }

    /** @param column the card that answers */
    Answer of(Preview preview, Carry carry, ColumnLine column) {
        if (carry.isFrom(column.id())) {
            return new Answer(Answer.Kind.HERE, texts.get("board.answer.here"), texts.get("board.answer.here.text"),
                    List.of(), List.of(), Optional.empty());
        }
        return switch (preview) {
            case Preview.Possible possible -> possible(possible, carry, column);
            case Preview.Refused refused -> refused(refused);
        };
    }

    private Answer possible(Preview.Possible possible, Carry carry, ColumnLine column) {
        List<ModelName> victims = possible.victims().stream().map(Victim::model).toList();
        String about = possible.about().filter(d -> !d.isZero()).map(d -> texts.get("board.answer.about", together(Ages.span(d)))).orElse("");
        Optional<Bar> after = possible.figures().filter(_ -> column.bar().total() > 0)
                .map(f -> column.bar().after(victims, carry.models().getFirst(), f.need().bytes()));
        String breaks = possible.interrupts().isEmpty() ? ""
                : texts.get("board.answer.interrupts", String.join("; ", possible.interrupts()));
        String left = possible.figures().map(f -> texts.get("board.answer.left", Bytes.gib(f.left()))).orElse("");
        return new Answer(victims.isEmpty() ? Answer.Kind.FITS : Answer.Kind.EVICTS, title(possible, about),
                (left + " " + breaks).strip(), figures(possible.figures()), victims, after);
    }

    private String title(Preview.Possible possible, String about) {
        if (possible.victims().isEmpty()) {
            return possible.figures().map(f -> texts.get("board.answer.fits", Bytes.gib(f.free()), about))
                    .orElse(texts.get("board.answer.can", about));
        }
        String victims = victims(possible.victims());
        return possible.figures().filter(f -> f.lacking() > 0)
                .map(f -> texts.get("board.answer.evicts.short", Bytes.gib(f.lacking()), victims, about))
                .orElse(texts.get("board.answer.evicts", victims, about));
    }

    /** By name, with how long each was idle. */
    String victims(List<Victim> victims) {
        List<String> named = new ArrayList<>(victims.stream().limit(NAMED).map(v -> v.idle()
                .map(idle -> texts.get("board.victim.idle", v.model(), together(Ages.brief(idle)))).orElse(v.model().text())).toList());
        if (victims.size() > NAMED) {
            named.add(texts.get("board.victim.more", victims.size() - NAMED));
        }
        return String.join(", ", named);
    }

    /** A number and its unit stay on one line. */
    private static String together(String span) {
        return span.replace(' ', NO_BREAK);
    }

    private List<Answer.Figure> figures(Optional<Figures> figures) {
        return figures.map(f -> List.of(
                new Answer.Figure(texts.get("board.need." + f.need().basis().name().toLowerCase(Locale.ROOT)), texts.get("board.gib", Bytes.gib(f.need()))),
                new Answer.Figure(texts.get("board.figure.free"), unit(f.free())),
                new Answer.Figure(texts.get("board.figure.short"), unit(f.lacking())),
                new Answer.Figure(texts.get("board.figure.left"), unit(f.left())))).orElse(List.of());
    }

    private String unit(long bytes) {
        return texts.get("board.gib", Bytes.gib(bytes));
    }

    private Answer refused(Preview.Refused refused) {
        return new Answer(Answer.Kind.REFUSED,
                texts.get("board.refused." + refused.why().name().toLowerCase(Locale.ROOT).replace('_', '-')),
                refused.words(), List.of(), List.of(), Optional.empty());
    }

    /** What would be broken off and what would go, as sentences for the question before it is done. */
    List<String> warnings(Preview.Possible possible) {
        List<String> result = new ArrayList<>(possible.interrupts());
        if (!possible.victims().isEmpty()) {
            result.add(texts.get("board.ask.victims", possible.victims().stream().map(v -> v.model().text())
                    .collect(Collectors.joining(", "))));
        }
        possible.about().map(Ages::span).map(a -> texts.get("board.ask.about", a)).ifPresent(result::add);
        return result;
    }
}
