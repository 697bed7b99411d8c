package dev.pitwall.site;

import dev.pitwall.card.SiteFacts;
import java.util.Map;

/** The last proofs of a site's cards. They may be made by this process or by another. */
@FunctionalInterface
public interface Proofs {

    /** Of a site that keeps none. */
    Proofs NONE = Map::of;

    /** By card id. May take some milliseconds; what cannot be read now is left out. */
    Map<String, SiteFacts.ProofResult> read();
}
