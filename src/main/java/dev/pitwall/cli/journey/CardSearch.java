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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the card that a person means. */
final class CardSearch {
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
        String part = wanted.toLowerCase(Locale.ROOT);
        return !exact.isEmpty() ? exact : view.cards().stream().filter(c -> Stream.of(c.id(), c.host() + " " + c.name(),
                c.uuid().orElse("")).anyMatch(t -> t.toLowerCase(Locale.ROOT).contains(part))).toList();
    }

    /** A host that does not answer may have the card. */
    private Optional<Trouble> silentHost() {
        return view.connections().stream()
                .filter(c -> c.kind() == Connection.Kind.PROXMOX || c.kind() == Connection.Kind.SHELL)
                .flatMap(c -> c.trouble().stream()).filter(t -> t.kind().unreachable()).findFirst();
    }

    private static TroubleException missing(String wanted, String what, List<Card> cards) {
        String there = cards.isEmpty() ? "The site shows no card." : "There are: " + cards.stream()
                .map(c -> c.id() + " (" + c.name() + ")").collect(Collectors.joining(", ")) + ".";
        return new TroubleException(new Trouble(Trouble.Kind.MISSING, "--card " + wanted, what, there));
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
