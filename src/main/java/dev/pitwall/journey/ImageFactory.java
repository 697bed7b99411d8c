package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;
import java.util.List;
import java.util.Optional;

/** An Image Factory, which builds Talos images of schematics (facts: cluster.md 4.4). Thread-safe. */
public interface ImageFactory extends AutoCloseable {

    /** Where it is, for example {@code https://factory.talos.dev}. */
    String address();

    /** What an image is made of, in YAML. @return empty if the factory was never given a schematic of this id */
    Optional<String> schematic(String id) throws TroubleException, InterruptedException;

    /**
     * Gives it a schematic; to give it one that it has changes nothing.
     *
     * @param yaml it must not hold a secret: whoever knows the id can read it
     * @return its id
     */
    String post(String yaml) throws TroubleException, InterruptedException;

    /**
     * Full names of the official extensions of a release.
     *
     * @param version for example {@code v1.13.9}
     */
    List<String> extensions(String version) throws TroubleException, InterruptedException;

    @Override
    void close();
}
