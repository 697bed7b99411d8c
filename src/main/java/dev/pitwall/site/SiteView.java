package dev.pitwall.site;

import dev.pitwall.card.Card;

import java.time.Instant;
import java.util.List;

/**
 * A site at one moment, as the window and the command line show it.
 *
 * @param at          when it was put together
 * @param cards       in the order host, address
 * @param connections every configured source, in the order Proxmox, shells, cluster, Prometheus, model servers
 */
public record SiteView(Site site, Instant at, List<Card> cards, List<Connection> connections) {
    public SiteView {
        cards = List.copyOf(cards);
        connections = List.copyOf(connections);
    }
}
