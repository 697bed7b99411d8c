package dev.pitwall.ui.board;

import dev.pitwall.ui.page.FrameByFrame;
import dev.pitwall.ui.page.Turns;
import java.util.List;
import java.util.function.Function;
import javafx.scene.control.ListView;

/**
 * The rows of a list. Those that fill it at first come a few a frame: cells that are styled for the first time cost more
 * than a frame has.
 *
 * @param <T> a row
 */
final class GrowingList<T> {

    private static final int A_FRAME = 2;

    private final ListView<T> list;
    private final Function<T, Object> key;
    private final double lowest;
    private final FrameByFrame frames;
    private List<T> wanted = List.of();
    private int grown;

    /**
     * @param key    tells rows apart, whatever they say now
     * @param lowest height of the lowest row, in pixels
     * @param turns  of all that works on the page
     */
    GrowingList(ListView<T> list, Function<T, Object> key, double lowest, Turns turns) {
        this.list = list;
        this.key = key;
        this.lowest = lowest;
        this.frames = new FrameByFrame(this::grow, turns);
        list.sceneProperty().addListener((_, _, scene) -> {
            if (scene != null) {
                start();
            }
        });
    }

    ListView<T> list() {
        return list;
    }

    void show(List<T> next) {
        wanted = next;
        update();
        start();
    }

    /** Shows all rows now, as high as they are: without a pulse between them a list keeps the heights of other rows. */
    void fillNow() {
        finish();
        list.refresh();
    }

    private void finish() {
        grown = Integer.MAX_VALUE;
        update();
    }

    private void start() {
        if (grown < wanted.size() && list.getScene() != null) {
            frames.start();
        }
    }

    /** Until the list is full; what is out of sight costs nothing. */
    private boolean grow() {
        // It may have been filled since the last frame.
        if (list.getScene() == null || grown >= wanted.size()) {
            return false;
        }
        if (list.getHeight() > 0) {
            grown += A_FRAME;
            if (grown * lowest > list.getHeight()) {
                finish();
            }
            update();
        }
        return grown < wanted.size();
    }

    private void update() {
        Rows.update(list.getItems(), wanted.subList(0, Math.min(grown, wanted.size())), key);
    }
}
