package dev.pitwall.ui.board;

import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.LiveEngine;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.Preview;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Asks the engine of the site that shows for something; first the person, where it would break off work or write more than was asked for. */
final class Asking {

    private final Desk desk;
    private final Texts texts;
    private final Answers answers;

    Asking(Desk desk, Answers answers) {
        this.desk = desk;
        this.texts = desk.texts();
        this.answers = answers;
    }

    /** What nobody is interrupted by is asked for at once. */
    void ask(OpenSite site, LiveEngine engine, Wish wish, Set<ModelName> shown) {
        Preview preview = engine.preview(wish);
        switch (preview) {
            case Preview.Possible possible when !possible.interrupts().isEmpty() || !shown.containsAll(possible.going()) ->
                    new AskDialog(desk).ask(new Effects.Question(title(wish, possible), answers.warnings(possible),
                            named(wish, possible)), () -> go(site, engine, wish, possible.going()));
            case Preview.Possible _, Preview.Refused _ -> go(site, engine, wish, shown);
        }
    }

    private String title(Wish wish, Preview.Possible possible) {
        if (possible.interrupts().isEmpty()) {
            return texts.get("board.ask.going");
        }
        return texts.get(wish instanceof Wish.SetMode ? "board.ask.mode" : "board.ask.title");
    }

    /** A refusal stands in the log, and is said at once. */
    private void go(OpenSite site, LiveEngine engine, Wish wish, Set<ModelName> shown) {
        Entry entry = engine.ask(wish, shown);
        switch (entry.kind()) {
            case REFUSED -> desk.notices().tell(entry.title() + "\n" + entry.words());
            case LOADING, LOADED, LEAVING, EVICTED, MOVED, PINNED, HELD, WAITED, FAILED, LOST, FOREIGN, MEASURED, SUGGESTED, MODE, PULLED -> { }
        }
        site.showWallNow();
    }

    private String named(Wish wish, Preview.Possible possible) {
        String what = name(wish);
        return possible.victims().isEmpty() ? what
                : texts.get("board.wish.evicting", answers.victims(possible.victims().stream()
                        .map(v -> new Preview.Victim(v.model(), v.bytes(), Optional.empty())).toList()), what);
    }

    /** What a wish does, as a button says it. */
    String name(Wish wish) {
        return switch (wish) {
            case Wish.Place w -> texts.get("board.wish.place", w.model());
            case Wish.Move w -> texts.get("board.wish.move", w.what().model());
            case Wish.Evict w -> texts.get("board.wish.evict", w.what().model());
            case Wish.Pin w -> texts.get("board.wish.pin", w.what().model());
            case Wish.Unpin w -> texts.get("board.wish.unpin", w.what().model());
            case Wish.Hold _ -> texts.get("board.wish.hold");
            case Wish.Release _ -> texts.get("board.wish.release");
            case Wish.Cancel w -> texts.get("board.wish.cancel", w.what().model());
            case Wish.Pull w -> texts.get("board.wish.pull", w.model());
            case Wish.CancelPull w -> texts.get("board.wish.cancel-pull", w.model());
            case Wish.MeasureSpeed w -> texts.get("board.wish.measure", w.what().model());
            case Wish.SetMode w -> texts.get("board.wish.mode", texts.get("board.mode." + w.mode().name().toLowerCase(Locale.ROOT)));
            case Wish.All(List<Wish> all) -> texts.get("board.wish.all", name(all.getFirst()), all.size() - 1);
        };
    }
}
