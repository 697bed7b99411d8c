package dev.pitwall.lab.kube.store;

import java.util.random.RandomGenerator;

/** Ends of generated names, in the letters Kubernetes uses: no vowels, nothing that looks like another. */
public final class NameSuffix {
    public static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    /** Length of what the API server appends to a {@code generateName}. */
    public static final int LENGTH = 5;

    private NameSuffix() {
    }

    public static String of(RandomGenerator chance) {
        return of(chance, LENGTH);
    }

    public static String of(RandomGenerator chance, int length) {
        StringBuilder suffix = new StringBuilder();
        for (int i = 0; i < length; i++) {
            suffix.append(LETTERS.charAt(chance.nextInt(LETTERS.length())));
        }
        return suffix.toString();
    }
}
