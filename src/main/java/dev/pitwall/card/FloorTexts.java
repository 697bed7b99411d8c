package dev.pitwall.card;

import java.time.Duration;

/** The sentences of the floors, out of {@code messages/floors.properties}. */
final class FloorTexts {
    private final Sentences sentences = new Sentences("messages/floors");

    /** The sentence under a key; see {@link Sentences#say}. */
    String say(String key, Object... arguments) {
        return sentences.say(key, arguments);
    }

    /** The name of a floor as it reads inside a sentence. */
    String name(Floor floor) {
        return say("floor." + floor.wireName());
    }

    /** {@code 1:42}, or {@code 1:02:03} from an hour on. */
    static String clock(Duration d) {
        return d.toHours() > 0
                ? "%d:%02d:%02d".formatted(d.toHours(), d.toMinutesPart(), d.toSecondsPart())
                : "%d:%02d".formatted(d.toMinutes(), d.toSecondsPart());
    }

    /** {@code 45 s}, {@code 3 min}, {@code 2 h}, {@code 17 d}: one unit, cut down. */
    static String roughly(Duration d) {
        if (d.toMinutes() < 1) {
            return d.toSeconds() + " s";
        }
        if (d.toHours() < 1) {
            return d.toMinutes() + " min";
        }
        return d.toDays() < 1 ? d.toHours() + " h" : d.toDays() + " d";
    }
}
