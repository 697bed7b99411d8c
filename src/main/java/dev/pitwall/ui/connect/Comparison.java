package dev.pitwall.ui.connect;

import java.util.List;

/** What comes of comparing the fingerprint a system sent with what its console shows. */
sealed interface Comparison {

    /** Nothing was pasted yet. */
    record Nothing() implements Comparison {
    }

    /** There is no SHA-256 fingerprint in what was pasted. */
    record NoFingerprint() implements Comparison {
    }

    record Equal(Fingerprint pasted) implements Comparison {
    }

    /** @param places the bytes that differ, counted from 1 */
    record Differs(Fingerprint pasted, List<Integer> places) implements Comparison {
        public Differs {
            places = List.copyOf(places);
        }
    }
}
