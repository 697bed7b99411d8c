package dev.pitwall.ui.theme;

/** How close rows stand. */
public enum Density {
    COMFORTABLE(28), COMPACT(24);

    private final double floorHeight;

    Density(double floorHeight) {
        this.floorHeight = floorHeight;
    }

    /** Height of a tower's row in pixels; also the smallest target, which is 24. */
    public double floorHeight() {
        return floorHeight;
    }
}
