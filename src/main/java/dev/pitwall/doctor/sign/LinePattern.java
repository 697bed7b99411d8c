package dev.pitwall.doctor.sign;

import com.google.re2j.Pattern;

import java.util.Optional;
import java.util.Set;

/**
 * A wording that means a sign.
 *
 * @param sign    what it means
 * @param pattern found anywhere in a line, in any case; its named groups become the sign's values
 * @param unless  a line that has this too means something else
 * @param except  words found that have this mean something else, though the line may have the wording once more
 * @param hints   documents it may be in; empty for any
 * @param component what it is about whatever the line and the document say; empty text to take theirs
 */
record LinePattern(String sign, Pattern pattern, Optional<Pattern> unless, Optional<Pattern> except,
                   Set<Hint> hints, String component) {
    LinePattern {
        hints = Set.copyOf(hints);
    }
}
