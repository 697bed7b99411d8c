package dev.pitwall.engine.live;

import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.figure.Figures;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps models where people and the policy want them. Thread-safe; nothing here blocks on a server: what was asked for is
 * seen in the next views. What a person decides outranks the policy until it is undone.
 */
public interface LiveEngine extends AutoCloseable {

    /** The newest view. */
    WallView view();

    /** @param listener gets each new view, on a thread of the engine; it must not take long */
    void listen(Consumer<WallView> listener);

    /** What would come of it, by the newest view: asks no server, changes nothing. */
    Preview preview(Wish wish);

    /**
     * Does it, if its preview is no refusal at that moment and names nobody else to go than the person was shown; else it is
     * refused in the log. The same holds until it is done: nobody else goes for it. What it leads to has the number of this
     * entry.
     *
     * @param mayGo the models that the person was shown to go for it
     * @return its entry in the log
     */
    Entry ask(Wish wish, Set<ModelName> mayGo);

    /** For who has seen the preview of this moment. */
    default Entry ask(Wish wish) {
        return ask(wish, preview(wish).going());
    }

    /** What would take an entry back; empty where nothing would. */
    Optional<Wish> undo(Entry entry);

    /** Whether this engine decides at this moment; where it does not, every wish is refused. */
    Charge.State charge();

    /** What was measured of the cards and servers over time. */
    Figures figures();

    @Override
    void close();
}
