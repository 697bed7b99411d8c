package dev.pitwall.lab.models;

import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.Loaded;
import dev.pitwall.lab.world.World;

/** How a card's memory is divided among the models of its server: the ones that came first have theirs. Inside the lock. */
final class CardRoom {
    private CardRoom() {
    }

    /** Bytes of the card that models can have. */
    static long bytes(World w, LabModelServer server) {
        LabCard card = w.cards.get(server.card);
        return card == null ? 0 : Math.max(0, card.vramMiB - card.memoryReservedMiB - card.otherMemoryMiB) << 20;
    }

    /** Bytes of a model that are on the card; the rest runs on the processor. */
    static long onCard(World w, LabModelServer server, Loaded loaded) {
        long left = bytes(w, server);
        for (Loaded other : server.loaded) {
            long part = Math.min(left, other.cardBytes());
            if (other == loaded) {
                return part;
            }
            left -= part;
        }
        return 0;
    }

    /** Share of a model that is on the card, 0 to 1. */
    static double share(World w, LabModelServer server, Loaded loaded) {
        return (double) onCard(w, server, loaded) / Math.max(1, loaded.model.vramBytes());
    }
}
