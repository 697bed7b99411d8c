package dev.pitwall.journey.talos;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.drain.Departure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What becomes of the node's pods when it reboots into another image: they leave before, or stop and start with it. Where
 * an eviction would lose something they stop with it unless the person wants otherwise: that loses nothing.
 */
final class TalosDrain {
    static final String KEY = Departure.KEY;
    private static final String STOP = Departure.SKIP;

    private final Situation situation;
    private final Sentences texts;
    private final Optional<Drain> possible;
    private final List<Drain.Pod> pods;

    TalosDrain(Situation situation, Sentences texts) {
        this.situation = situation;
        this.texts = texts;
        Optional<NodeDown> node = Departure.ofNode(situation, situation.card().host(),
                Choices.NONE.with(KEY, Departure.EVICT)).nodes().stream().findFirst();
        this.possible = node.flatMap(NodeDown::drain);
        this.pods = node.map(n -> n.drain().isPresent() ? n.leaves() : n.stops()).orElse(List.of());
    }

    /** Empty where the pods stop with the node. */
    Optional<Drain> drain() {
        return chosen().equals(STOP) ? Optional.empty() : possible;
    }

    private String chosen() {
        String usual = possible.isEmpty() || !possible.get().losing().isEmpty() ? STOP : Departure.EVICT;
        return situation.choices().get(KEY).filter(v -> v.equals(STOP) || v.equals(Departure.EVICT) && possible.isPresent())
                .orElse(usual);
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (pods.isEmpty()) {
            return notes;
        }
        if (drain().isEmpty()) {
            notes.add(texts.say(possible.isEmpty() ? "note.alone" : "note.stops", names(pods)));
        } else {
            notes.add(texts.say("note.leave", names(pods)));
            if (!possible.orElseThrow().losing().isEmpty()) {
                notes.add(texts.say("note.loses", names(possible.get().losing())));
            }
        }
        return notes;
    }

    private static String names(List<Drain.Pod> pods) {
        return pods.stream().map(Drain.Pod::place).collect(Collectors.joining(", "));
    }

    /** Only where there is a choice. */
    List<Question> questions() {
        return possible.isEmpty() || pods.isEmpty() ? List.of() : List.of(new Question(KEY, texts.say("ask.drain"), List.of(
                new Option(Departure.EVICT, texts.say("ask.drain.evict"), texts.say("ask.drain.evict.note")),
                new Option(STOP, texts.say("ask.drain.stop"), texts.say("ask.drain.stop.note"))), chosen()));
    }
}
