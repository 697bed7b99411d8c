package dev.pitwall;

/** Entry point of the jar. */
public final class Pitwall {
    private Pitwall() {
    }

    public static void main(String[] args) {
        System.out.println("Pitwall");
    }
}
