package dev.pitwall.doctor.likeness;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

import java.util.List;

/**
 * Ridge regression in its dual form (C. Saunders, A. Gammerman, V. Vovk: Ridge Regression Learning Algorithm in Dual
 * Variables, ICML 1998, section 2), of sparse rows of length 1: fitted once, by solving as many equations as there are rows.
 * Immutable.
 */
final class Ridge {
    /** How much a large coefficient costs; 0.1 to 1 rank reports that were left out alike. */
    private static final double PENALTY = 0.3;
    /** The same for all rows: it stands for what speaks for a target whatever the row says. */
    private static final double INTERCEPT = 1;

    private final List<Sparse> rows;
    private final int width;
    private final DMatrixRMaj coefficients;

    /**
     * @param width   columns of the rows
     * @param targets by row, then by what is to be told: near 1 where the row speaks for it, near −1 where against it
     */
    Ridge(List<Sparse> rows, int width, double[][] targets) {
        this.rows = List.copyOf(rows);
        this.width = width;
        int size = rows.size();
        DMatrixRMaj kernel = new DMatrixRMaj(size, size);
        for (int i = 0; i < size; i++) {
            double[] row = rows.get(i).dense(width);
            for (int j = 0; j <= i; j++) {
                double alike = rows.get(j).dot(row) + INTERCEPT;
                kernel.unsafe_set(i, j, alike);
                kernel.unsafe_set(j, i, alike);
            }
            kernel.add(i, i, PENALTY);
        }
        this.coefficients = new DMatrixRMaj(size, targets[0].length);
        LinearSolverDense<DMatrixRMaj> solver = LinearSolverFactory_DDRM.symmPosDef(size);
        if (!solver.setA(kernel)) {
            throw new IllegalStateException("the rows' likeness is no positive definite matrix");
        }
        solver.solve(new DMatrixRMaj(targets), coefficients);
    }

    /** What a row says of each target. */
    double[] of(Sparse row) {
        double[] dense = row.dense(width);
        double[] sums = new double[coefficients.getNumCols()];
        for (int i = 0; i < rows.size(); i++) {
            double alike = rows.get(i).dot(dense) + INTERCEPT;
            for (int target = 0; target < sums.length; target++) {
                sums[target] += alike * coefficients.unsafe_get(i, target);
            }
        }
        return sums;
    }

    /** By column: what 1 in it adds to what is said of a target. */
    double[] weights(int target) {
        double[] weights = new double[width];
        for (int i = 0; i < rows.size(); i++) {
            rows.get(i).addTo(weights, coefficients.unsafe_get(i, target));
        }
        return weights;
    }
}
