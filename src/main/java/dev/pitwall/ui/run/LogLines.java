package dev.pitwall.ui.run;

import dev.pitwall.journey.Watcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/**
 * What is read and done, line by line, the last {@value #KEPT} lines. Any thread may add; lines come into view in bulk,
 * as often as the pacing lets them, and what nobody could have seen never does.
 */
public final class LogLines {

    public static final int KEPT = 2000;

    private final Deque<Watcher.Line> waiting = new ArrayDeque<>();
    private final ObservableList<Watcher.Line> shown = FXCollections.observableArrayList();
    /** Held here: it hangs on the lines by a weak reference only. */
    private final ObservableList<Watcher.Line> readable = FXCollections.unmodifiableObservableList(shown);
    private final Runnable soon;

    /** @param paced makes of the drawing an action that any thread may run as often as it likes */
    LogLines(UnaryOperator<Runnable> paced) {
        this.soon = paced.apply(this::draw);
    }

    /** May be called from any thread. */
    public void add(Watcher.Line line) {
        synchronized (waiting) {
            waiting.add(line);
            if (waiting.size() > KEPT) {
                waiting.removeFirst();
            }
        }
        soon.run();
    }

    /** Changes on the JavaFX thread only. */
    public ObservableList<Watcher.Line> shown() {
        return readable;
    }

    private void draw() {
        List<Watcher.Line> more;
        synchronized (waiting) {
            more = new ArrayList<>(waiting);
            waiting.clear();
        }
        if (more.isEmpty()) {
            return;
        }
        int tooMany = shown.size() + more.size() - KEPT;
        if (tooMany > 0) {
            shown.remove(0, Math.min(tooMany, shown.size()));
        }
        shown.addAll(more);
    }
}
