package dev.pitwall.engine.policy;

/** A heap of times by which the soonest is found: with many models, looking at all of them for each need takes too long. */
final class Soonest {
    private final int[] heap;
    private double[] time;

    /** @param positions of which each has a time */
    Soonest(int positions) {
        heap = new int[positions];
    }

    /** @param newTime of each position; changed by {@link #firstLater} */
    void begin(double[] newTime) {
        time = newTime;
        for (int i = 0; i < heap.length; i++) {
            heap[i] = i;
        }
        for (int i = heap.length / 2 - 1; i >= 0; i--) {
            sink(i);
        }
    }

    int first() {
        return heap[0];
    }

    /** Of the first. */
    double time() {
        return time[heap[0]];
    }

    /** Puts the first off. @param newTime not before its present one */
    void firstLater(double newTime) {
        time[heap[0]] = newTime;
        sink(0);
    }

    private void sink(int from) {
        int sinking = heap[from];
        double late = time[sinking];
        int hole = from;
        for (int child = 2 * hole + 1; child < heap.length; child = 2 * hole + 1) {
            if (child + 1 < heap.length && time[heap[child + 1]] < time[heap[child]]) {
                child++;
            }
            if (time[heap[child]] >= late) {
                break;
            }
            heap[hole] = heap[child];
            hole = child;
        }
        heap[hole] = sinking;
    }
}
