package dev.pitwall.ui.board;

import java.util.ArrayList;
import java.util.List;

/** Where the cards of the wall stand: in rows, as many beside each other as fit, as high as the highest of a row needs. */
final class WallLayout {

    static final double GAP = 16;
    /** Height of a node's name. */
    static final double HEAD = 20;
    /** From the top of a row of cards to the top of its nodes' names. */
    static final double GROUP = 30;
    private static final double NARROWEST = 228;
    private static final double WIDEST = 420;
    private static final double NARROW_WALL = 780;

    private final List<Place> places = new ArrayList<>();
    private final List<Head> heads = new ArrayList<>();
    private final int across;
    private final double height;

    record Place(double x, double y, double width, double height) {
    }

    /** @param column the first card under it; @param goesOn the node has cards in the row above too */
    record Head(int column, double x, double y, double width, boolean goesOn) {
    }

    /** @param view height that is seen: a single row of cards fills it */
    WallLayout(List<ColumnLine> columns, double width, double view) {
        double edge = width < NARROW_WALL ? 12 : GAP;
        double gap = width < NARROW_WALL ? 12 : GAP;
        across = Math.max(1, (int) ((width - 2 * edge + gap) / (NARROWEST + gap)));
        double each = Math.max(0, Math.min(WIDEST, Math.floor((width - 2 * edge - (across - 1) * gap) / across)));
        double y = 0;
        for (int first = 0; first < columns.size(); first += across) {
            List<ColumnLine> row = columns.subList(first, Math.min(columns.size(), first + across));
            double top = y + (first == 0 ? GAP : 8) + GROUP;
            boolean alone = columns.size() <= across;
            double high = row.stream().mapToDouble(c -> new ColumnSizes(c, each).height()).max().orElse(0);
            high = alone ? Math.max(high, view - top - GAP) : high;
            for (int i = 0; i < row.size(); i++) {
                places.add(new Place(edge + i * (each + gap), top, each, high));
            }
            heads(columns, first, row.size(), top - GROUP, each, gap);
            y = top + high + GAP;
        }
        height = y;
    }

    private void heads(List<ColumnLine> columns, int first, int count, double y, double each, double gap) {
        int start = first;
        for (int i = first + 1; i <= first + count; i++) {
            boolean ends = i == first + count || !columns.get(i).group().equals(columns.get(start).group());
            if (ends) {
                boolean goesOn = start > 0 && columns.get(start - 1).group().equals(columns.get(start).group());
                heads.add(new Head(start, places.get(start).x() + 4, y, (i - start) * (each + gap) - gap - 4, goesOn));
                start = i;
            }
        }
    }

    List<Place> places() {
        return places;
    }

    int across() {
        return across;
    }

    /** The names of nodes of which something can be seen. */
    List<Head> headsInSight(double top, double bottom) {
        return heads.stream().filter(head -> head.y() + HEAD >= top && head.y() <= bottom).toList();
    }

    double height() {
        return height;
    }

    /** Indexes of the cards of which something can be seen. */
    List<Integer> inSight(double top, double bottom) {
        List<Integer> result = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            if (place.y() + place.height() >= top && place.y() - GROUP <= bottom) {
                result.add(i);
            }
        }
        return result;
    }
}
