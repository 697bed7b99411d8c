package dev.pitwall.engine.live;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the rest of the site tells the engine: which model servers there are, on which cards, and how full these are.
 *
 * @param spots  in the order of nodes, then of cards
 * @param others who else may move models, in a sentence each
 */
record SitePicture(List<Spot> spots, List<String> others) {

    SitePicture {
        spots = List.copyOf(spots);
        others = List.copyOf(others);
    }

    /**
     * A model server.
     *
     * @param place     host and VM in words: {@code pve1 · VM 141}
     * @param cardKind  what it loads into, for example {@code NVIDIA RTX A1000}: loads are measured by it
     * @param holders   who else holds the cards, by name
     */
    record Spot(ProviderId id, Optional<String> node, String place, List<ProviderView.CardView> cards, String cardKind,
                Optional<Gauge> gauge, List<String> holders) {
        Spot {
            cards = List.copyOf(cards);
            holders = List.copyOf(holders);
        }
    }

    /**
     * The memory of a server's cards together.
     *
     * @param used        by everybody; empty where only the size is known
     * @param utilisation 0 to 1, of the busiest card
     * @param sampledAt   by the clock of whoever measured; compared with other samples only
     */
    record Gauge(long total, OptionalLong used, OptionalDouble utilisation, String source, Instant sampledAt) {

        /** Whether its source can be asked at once; others are sampled at times of their own. */
        boolean prompt() {
            return source.equals(SiteReader.SMI);
        }
    }
}
