package dev.pitwall.journey;

import dev.pitwall.card.Source;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * One thing that a step looked at: a row of "What we found".
 *
 * @param name     for example {@code Driver in use}
 * @param value    for example {@code nouveau and snd_hda_intel}
 * @param mark     what it means for the step
 * @param source   the command or call that showed it, as a person can repeat it
 * @param raw      what that printed; empty text where there is nothing to show
 * @param deciding numbers, from 1, of the lines of {@code raw} that decide; at most five
 */
public record Found(String name, String value, Mark mark, Source source, Instant at, String raw,
                    List<Integer> deciding) {

    /** In the order of their weight. */
    public enum Mark { OK, INFO, ATTENTION, BAD, UNKNOWN }

    public Found {
        Objects.requireNonNull(name);
        Objects.requireNonNull(value);
        Objects.requireNonNull(mark);
        Objects.requireNonNull(source);
        Objects.requireNonNull(at);
        Objects.requireNonNull(raw);
        deciding = List.copyOf(deciding);
    }
}
