package dev.pitwall.journey.proof;

import dev.pitwall.journey.Situation;
import java.util.Locale;

/** The name of a card as Kubernetes takes it, in a name or in a label: {@code pve1-01-00}. */
final class CardName {
    /** Of 63 characters in all, for what is put before and behind it. */
    private static final int LONGEST = 36;

    private CardName() {
    }

    static String of(Situation.Subject card) {
        String slot = card.slot().toString().replaceFirst("^0000:", "").replace(':', '-').replace('.', '-');
        String host = plain(card.host());
        int room = LONGEST - slot.length() - 1;
        return (host.length() > room ? host.substring(0, room) : host).replaceAll("-+$", "") + "-" + slot;
    }

    private static String plain(String host) {
        String plain = host.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        return plain.isEmpty() ? "host" : plain;
    }
}
