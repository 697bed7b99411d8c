package dev.pitwall.doctor.likeness;

import java.util.Map;
import java.util.TreeMap;

/** A vector of which few columns are other than 0, in the order of the columns. Immutable. */
final class Sparse {
    private final int[] columns;
    private final double[] values;

    private Sparse(int[] columns, double[] values) {
        this.columns = columns;
        this.values = values;
    }

    /** The values by column, brought to length 1; without any, nothing. */
    static Sparse ofLengthOne(Map<Integer, Double> values) {
        TreeMap<Integer, Double> sorted = new TreeMap<>(values);
        double length = Math.sqrt(sorted.values().stream().mapToDouble(v -> v * v).sum());
        return new Sparse(sorted.keySet().stream().mapToInt(Integer::intValue).toArray(),
                sorted.values().stream().mapToDouble(v -> v / length).toArray());
    }

    /** Its product with a vector that is given in full. */
    double dot(double[] dense) {
        double sum = 0;
        for (int i = 0; i < columns.length; i++) {
            sum += values[i] * dense[columns[i]];
        }
        return sum;
    }

    /** All columns. */
    double[] dense(int width) {
        double[] dense = new double[width];
        addTo(dense, 1);
        return dense;
    }

    /** Adds it to a dense vector, so many times. */
    void addTo(double[] dense, double times) {
        for (int i = 0; i < columns.length; i++) {
            dense[columns[i]] += times * values[i];
        }
    }
}
