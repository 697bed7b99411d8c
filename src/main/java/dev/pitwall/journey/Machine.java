package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.Content;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The shell of one machine, signed in as a user who may read and change it. A connection that is lost is made again by
 * the next call. Thread-safe.
 */
public interface Machine extends AutoCloseable {

    /** The machine's name in the site. */
    String name();

    /**
     * Runs a command and waits for its end. A program that is not there gives exit 127 and is no trouble.
     *
     * @param lines gets each line of either stream as it comes
     * @throws TroubleException if the machine is not reached, or the command does not end within the limit
     */
    Ran run(List<String> arguments, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException;

    /** As above, for a short read whose lines nobody watches. */
    default Ran run(String... arguments) throws TroubleException, InterruptedException {
        return run(List.of(arguments), Duration.ofSeconds(20), line -> { });
    }

    /**
     * What a file holds now; links are followed.
     *
     * @throws TroubleException if it may not be read, or is no plain file
     */
    Content read(String path) throws TroubleException, InterruptedException;

    /**
     * Gives a file these bytes, or removes it. The bytes are written beside it and moved over it, so that it is at no
     * moment half a file; mode and owner stay, a new file is 0644. Missing folders above a new file are made.
     *
     * @param copyBefore where the bytes that were there are kept first; empty text for no copy
     */
    void write(String path, Content content, String copyBefore) throws TroubleException, InterruptedException;

    @Override
    void close();
}
