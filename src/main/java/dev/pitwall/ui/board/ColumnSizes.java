package dev.pitwall.ui.board;

/** Where the parts of a column stand, known without its nodes. Pixels. */
final class ColumnSizes {

    static final double HEAD = 116;
    static final double HOLD = 60;
    static final double TROUBLE = 104;
    static final double OTHER = 24;
    /** Room below the last row: something to drop onto. */
    private static final double FREE = 64;
    private static final double LOWEST = 260;
    private static final double NARROW = 246;
    private static final double GAP = 8;

    private final ColumnLine column;
    private final double pad;
    /** Where each row begins, and behind the last where the next would. */
    private final double[] tops;

    ColumnSizes(ColumnLine column, double width) {
        this.column = column;
        this.pad = width < NARROW ? 10 : 14;
        this.tops = new double[column.placements().size() + 1];
        tops[0] = HEAD + pad - 2 + (column.hold().isPresent() ? HOLD + GAP : 0)
                + (column.trouble().isPresent() ? TROUBLE + GAP : 0);
        for (int i = 0; i < column.placements().size(); i++) {
            tops[i + 1] = tops[i] + column.placements().get(i).shape().height() + GAP;
        }
    }

    double pad() {
        return pad;
    }

    double holdTop() {
        return HEAD + pad - 2;
    }

    double troubleTop() {
        return holdTop() + (column.hold().isPresent() ? HOLD + GAP : 0);
    }

    double top(int row) {
        return tops[row];
    }

    double bottom(int row) {
        return top(row) + column.placements().get(row).shape().height();
    }

    double otherTop(int other) {
        return tops[column.placements().size()] + other * (OTHER + GAP);
    }

    /** Where free room begins. */
    double rowsBottom() {
        return otherTop(column.foreign().size());
    }

    /** What the column needs. */
    double height() {
        return Math.max(LOWEST, rowsBottom() + FREE);
    }
}
