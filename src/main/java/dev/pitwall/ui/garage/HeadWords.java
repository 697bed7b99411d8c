package dev.pitwall.ui.garage;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.card.Reading;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/** The one state that matters, in the words of a card's head. */
final class HeadWords {

    /** Proxmox's key and the start of its values for Windows guests ({@code wxp w2k … win10 win11}). */
    private static final String OS_TYPE = "ostype";

    /** Which VM has the card, for example {@code VM 210 win11-studio}. */
    private static final String HOLDER = "holder";

    private final Texts texts;

    HeadWords(Texts texts) {
        this.texts = texts;
    }

    String of(Card card, Instant now) {
        return card.lowestNotOk().map(cause -> of(card, cause, now)).orElseGet(() -> texts.get("head.up"));
    }

    private String of(Card card, FloorStatus cause, Instant now) {
        String floor = texts.get("floor.title." + cause.floor().wireName());
        return switch (cause.state()) {
            case WAITING -> waiting(cause, floor);
            case FAILING -> texts.get("head.failing", floor);
            case BLOCKED -> blocked(cause, floor);
            case UNKNOWN -> lastSeen(card)
                    .map(at -> texts.get("head.unknown.age", Ages.brief(Duration.between(at, now))))
                    .orElseGet(() -> texts.get("head.unknown"));
            case OK, NOT_APPLICABLE -> texts.get("head.up");
        };
    }

    /** A wait of known length is the driver's compilation on the driver floor; elsewhere the floor is just starting. */
    private String waiting(FloorStatus cause, String floor) {
        boolean compiling = cause.floor() == Floor.DRIVER && cause.progress().isPresent();
        return compiling ? texts.get("head.compiling") : texts.get("head.waiting", floor);
    }

    private String blocked(FloorStatus cause, String floor) {
        Optional<String> holder = value(cause, HOLDER);
        if (holder.isEmpty()) {
            return texts.get("head.blocked", floor);
        }
        boolean windows = value(cause, OS_TYPE).filter(v -> v.startsWith("w")).isPresent();
        String owner = windows
                ? texts.get("head.windows")
                : String.join(" ", Arrays.asList(holder.get().split(" ")).subList(0, 2));
        return uptime(cause)
                .map(up -> texts.get("head.with.since", owner, Ages.full(up)))
                .orElseGet(() -> texts.get("head.with", owner));
    }

    /** Proxmox's {@code uptime} of the VM, in seconds. */
    private static Optional<Duration> uptime(FloorStatus cause) {
        return value(cause, "uptime").filter(v -> v.matches("\\d{1,12}( s)?"))
                .map(v -> Duration.ofSeconds(Long.parseLong(v.replace(" s", ""))));
    }

    private static Optional<String> value(FloorStatus floor, String reading) {
        return floor.readings().stream().filter(r -> r.name().equals(reading)).findFirst().flatMap(Reading::value);
    }

    /** When anything was last read of the floors that are unknown now. */
    private static Optional<Instant> lastSeen(Card card) {
        return card.lowestNotOk().stream().flatMap(f -> f.readings().stream()).map(Reading::at)
                .max(Comparator.naturalOrder());
    }
}
