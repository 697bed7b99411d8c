package dev.pitwall.doctor.live;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.evidence.Document;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What one part of a site has shown, and what of it could not be seen. Thread-safe. */
final class Gathered {
    private final List<Document> documents = new ArrayList<>();
    private final Set<String> unseen = new LinkedHashSet<>();

    synchronized void add(Document document) {
        documents.add(document);
    }

    /** A system that does not answer is told once, however much was asked of it. */
    synchronized void miss(Trouble trouble) {
        unseen.add(trouble.sentence() + ". " + trouble.next());
    }

    /** A question whose trouble is told and stops nothing. */
    @FunctionalInterface
    interface Question {
        void ask() throws TroubleException, InterruptedException;
    }

    void trying(Question question) throws InterruptedException {
        try {
            question.ask();
        } catch (TroubleException e) {
            miss(e.trouble());
        }
    }

    synchronized List<Document> documents() {
        return List.copyOf(documents);
    }

    synchronized List<String> unseen() {
        return List.copyOf(unseen);
    }
}
