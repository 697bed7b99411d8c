package dev.pitwall.journey.survey;

import dev.pitwall.card.Source;

import java.time.Instant;

/**
 * What a command or call showed.
 *
 * @param source as a person can repeat it
 * @param raw    what was printed; of a call, its JSON
 * @param ok     false if the command failed or the call was refused
 */
public record Shown(Source source, Instant at, String raw, boolean ok) {
}
