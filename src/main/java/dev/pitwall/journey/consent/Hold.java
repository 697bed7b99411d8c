package dev.pitwall.journey.consent;

import dev.pitwall.journey.change.ObjectRef;
import java.time.Instant;
import java.util.Optional;

/**
 * A field that somebody else keeps and a change would overwrite.
 *
 * @param field   for example {@code spec.taints}; empty text for the whole object
 * @param wanted  its new value in short; empty text where it goes
 * @param manager the field manager
 * @param since   when it wrote there last
 */
record Hold(ObjectRef object, String field, String wanted, String manager, Keeper keeper, Optional<Instant> since) {
}
