package dev.pitwall.lab.world;

/** A listener's place: closing it ends the calls. */
@FunctionalInterface
public interface Listening extends AutoCloseable {
    @Override
    void close();
}
