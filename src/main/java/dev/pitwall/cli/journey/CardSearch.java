package dev.pitwall.cli.journey;

import dev.pitwall.card.Card;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Situation;
import dev.pitwall.site.Connection;
import dev.pitwall.site.SiteView;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the card that a person means. */
final class CardSearch {
    private static final Pattern FUNCTION = Pattern.compile("([0-9a-f]{2}:[0-9a-f]{2})\\.[0-7]$");

    private final SiteView view;

    CardSearch(SiteView view) {
        this.view = view;
    }

    /**
     * @param wanted an id, or a part of an id, a name or a UUID that fits one card only
     * @throws TroubleException if none fits, or several
     */
    Situation.Subject find(String wanted) throws TroubleException {
        List<Card> fitting = fitting(wanted);
        if (fitting.isEmpty()) {
            throw silentHost().map(TroubleException::new).orElseGet(() -> missing(wanted, "no card fits", view.cards()));
        }
        if (fitting.size() > 1) {
            throw missing(wanted, fitting.size() + " cards fit", fitting);
        }
        return subject(fitting.getFirst());
    }

    private List<Card> fitting(String wanted) {
        List<Card> exact = view.cards().stream().filter(c -> c.id().equals(wanted)).toList();
        // As lspci shows it; a card's id ends in its slot.
        String part = FUNCTION.matcher(wanted.toLowerCase(Locale.ROOT)).replaceFirst("$1");
        return !exact.isEmpty() ? exact : view.cards().stream().filter(c -> Stream.of(c.id(), c.host() + " " + c.name(),
                c.uuid().orElse("")).anyMatch(t -> t.toLowerCase(Locale.ROOT).contains(part))).toList();
    }

    /** A host that does not answer may have the card. */
    private Optional<Trouble> silentHost() {
        return hostTroubles().filter(t -> t.kind().unreachable()).findFirst();
    }

    private Stream<Trouble> hostTroubles() {
        return view.connections().stream()
                .filter(c -> c.kind() == Connection.Kind.PROXMOX || c.kind() == Connection.Kind.SHELL)
                .flatMap(c -> c.trouble().stream());
    }

    private TroubleException missing(String wanted, String what, List<Card> cards) {
        String there = cards.isEmpty() ? "The site shows no card." : "There are: " + cards.stream()
                .map(c -> c.id() + " (" + c.name() + ")").collect(Collectors.joining(", ")) + ".";
        String unread = hostTroubles().map(Trouble::sentence).distinct().collect(Collectors.joining("; "));
        return new TroubleException(new Trouble(Trouble.Kind.MISSING, "--card " + wanted, what,
                unread.isEmpty() ? there : there + " Not everything could be read: " + unread + "."));
    }

    private static Situation.Subject subject(Card card) throws TroubleException {
        Optional<PciAddress> slot = card.address();
        if (slot.isEmpty()) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, card.id(),
                    "only the cluster knows this card, so there is no host to work on",
                    "Add the host that it sits in to the site."));
        }
        return new Situation.Subject(card.id(), card.name(), card.host(), slot.get().slot());
    }
}
