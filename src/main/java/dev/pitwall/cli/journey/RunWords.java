package dev.pitwall.cli.journey;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.RunRecord;

import java.util.Locale;

/** A run's head as text and as JSON. */
final class RunWords {
    private RunWords() {
    }

    /** For example {@code already so}; one that runs in no process has died and is not finished. */
    static String state(RunRecord run) {
        return run.state() == RunRecord.State.RUNNING ? "not finished"
                : run.state().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static ObjectNode json(RunRecord run) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("run", run.number()).put("title", run.title()).put("host", run.host());
        node.put("card", run.card().map(RunRecord.CardRef::id).orElse(null)).put("byWhom", run.byWhom());
        node.put("state", run.state().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        node.put("undoes", run.undoes().orElse(null)).put("note", run.note().orElse(null));
        node.put("started", run.started().toString()).put("ended", run.ended().map(Object::toString).orElse(null));
        return node;
    }
}
