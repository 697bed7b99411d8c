package dev.pitwall.ui.board;

import java.util.List;
import java.util.function.Function;
import javafx.collections.ObservableList;

/** Brings a list that shows up to date with as few changes as it takes, so that it neither jumps nor makes its cells anew. */
final class Rows {

    private Rows() {
    }

    /** @param key tells rows apart, whatever they say now */
    static <T> void update(ObservableList<T> shown, List<T> next, Function<T, Object> key) {
        int fresh = shown.isEmpty() ? -1 : next.stream().map(key).toList().indexOf(key.apply(shown.getFirst()));
        if (fresh < 0) {
            shown.setAll(next);
            return;
        }
        if (fresh > 0) {
            shown.addAll(0, next.subList(0, fresh));
        }
        for (int i = fresh; i < next.size(); i++) {
            if (i >= shown.size()) {
                shown.addAll(next.subList(i, next.size()));
            } else if (!key.apply(shown.get(i)).equals(key.apply(next.get(i)))) {
                shown.remove(i, shown.size());
                shown.addAll(next.subList(i, next.size()));
            } else if (!shown.get(i).equals(next.get(i))) {
                shown.set(i, next.get(i));
            }
        }
        if (shown.size() > next.size()) {
            shown.remove(next.size(), shown.size());
        }
    }
}
