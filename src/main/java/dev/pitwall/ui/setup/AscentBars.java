package dev.pitwall.ui.setup;

import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;

/** The words of what one run can make of several steps. Pure. */
final class AscentBars {

    /** One step is applied from its own page. */
    private static final int SEVERAL = 2;

    private final Texts texts;
    private final Effects effects;
    private final ActionBars bars;

    AscentBars(Texts texts, ActionBars bars) {
        this.texts = texts;
        this.effects = new Effects(texts);
        this.bars = bars;
    }

    AscentBar of(ActionBars.Facts f, Ascents ascents) {
        String held = bars.whyHeld(f);
        int steps = ascents.together().now().size();
        String few = steps == 0 ? texts.get("setup.ascent.why.none") : texts.get("setup.ascent.why.one");
        return new AscentBar(word(ascents.together()),
                new Actions.Button(steps < SEVERAL ? texts.get("setup.ascent.several") : button(ascents.together()),
                        !held.isEmpty() ? held : steps < SEVERAL ? few : ""),
                new Actions.Button(texts.get("setup.walk"),
                        !held.isEmpty() ? held : ascents.walks().isEmpty() ? texts.get("setup.ascent.why.none") : ""),
                ascents.walks().stream().map(this::walkTo).toList());
    }

    private AscentBar.Walk walkTo(Ascents.Walk walk) {
        return new AscentBar.Walk(walk.ascent().last(), texts.get("setup.walk.item",
                texts.get("floor.title." + walk.floor().wireName()), walk.reached().text().title()),
                walk.ascent().end().map(end -> texts.get("setup.walk.in-the-way", end.title(), end.why())).orElse(""));
    }

    private String word(Ascent together) {
        int steps = together.now().size();
        if (steps == 0) {
            return texts.get("setup.ascent.none");
        }
        return together.merges() ? texts.get("setup.ascent.merged", steps) : texts.count("setup.ascent.ready", steps);
    }

    private String button(Ascent ascent) {
        return effects.button(texts.get("setup.ascent.apply", ascent.now().size()), ascent.changes());
    }

    /** For steps that are made at once. */
    Effects.Question together(Ascent ascent) {
        List<String> sentences = new ArrayList<>(effects.sentences(ascent.changes()));
        if (ascent.merges()) {
            sentences.add(texts.get("setup.ascent.once"));
        }
        String button = button(ascent);
        return new Effects.Question(texts.get("setup.ascent.ask", button), sentences, button);
    }

    /** For a run that looks again and goes on. */
    Effects.Question walk(Ascents.Walk walk) {
        Ascent ascent = walk.ascent();
        String button = effects.button(texts.get("setup.walk.go", texts.get("floor.title." + walk.floor().wireName())),
                ascent.all());
        List<String> sentences = new ArrayList<>(effects.sentences(ascent.all()));
        sentences.add(texts.get("setup.walk.unasked"));
        return new Effects.Question(texts.get("setup.ascent.ask", button), sentences, button);
    }
}
