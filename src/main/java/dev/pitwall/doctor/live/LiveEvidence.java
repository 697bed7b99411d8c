package dev.pitwall.doctor.live;

import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.site.Together;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** The systems of a site as evidence: its parts are read at once, each on a thread of its own, and then given in order. */
final class LiveEvidence implements Evidence {
    private final List<Part> parts;
    private final List<String> unseen = new ArrayList<>();

    /** A part of a site that is looked at by itself: a host, a VM, a node, the cluster. */
    @FunctionalInterface
    interface Part {
        /** Reads it; what cannot be read is told there and is no trouble. */
        void gather(Gathered found) throws InterruptedException;
    }

    LiveEvidence(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    @Override
    public void each(Taker taker) throws TroubleException, InterruptedException {
        List<Callable<Gathered>> questions = parts.stream().<Callable<Gathered>>map(part -> () -> {
            Gathered found = new Gathered();
            part.gather(found);
            return found;
        }).toList();
        for (Gathered found : Together.all(questions)) {
            unseen.addAll(found.unseen());
            for (Document document : found.documents()) {
                taker.take(document);
            }
        }
    }

    /** What could not be looked at, one sentence each; known when all was given. */
    List<String> unseen() {
        return unseen.stream().distinct().toList();
    }
}
