package dev.pitwall.engine.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Which model is asked for: the k-th in the order of liking with weight 1/k to a power (Zipf). */
final class Liking {
    private final List<Integer> order;
    private final double[] upTo;
    private final RandomGenerator random;

    Liking(int models, double power, RandomGenerator random) {
        this.random = random;
        order = new ArrayList<>(IntStream.range(0, models).boxed().toList());
        Catalogue.shuffle(order, random);
        upTo = new double[models];
        double sum = 0;
        for (int k = 0; k < models; k++) {
            sum += Math.pow(k + 1, -power);
            upTo[k] = sum;
        }
    }

    int draw() {
        double at = random.nextDouble() * upTo[upTo.length - 1];
        int k = 0;
        while (upTo[k] < at) {
            k++;
        }
        return order.get(k);
    }

    /** So many pairs change places. */
    void drift(int pairs) {
        for (int i = 0; i < pairs; i++) {
            int a = random.nextInt(order.size());
            order.set(a, order.set(random.nextInt(order.size()), order.get(a)));
        }
    }
}
