package dev.pitwall.journey;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * What a command left behind.
 *
 * @param exit   empty if a signal ended it
 * @param output its standard output
 * @param errors its standard error
 */
public record Ran(OptionalInt exit, String output, String errors, Duration took) {

    /** True if it ended with exit code 0. */
    public boolean ok() {
        return exit.isPresent() && exit.getAsInt() == 0;
    }

    /** True if the machine has no such program. */
    public boolean notFound() {
        return exit.isPresent() && exit.getAsInt() == 127;
    }

    /** The last line that says something, standard error first; empty text if there is none. */
    public String lastWords() {
        return Stream.of(output, errors).flatMap(String::lines).map(String::strip).filter(line -> !line.isEmpty())
                .reduce("", (first, last) -> last);
    }
}
