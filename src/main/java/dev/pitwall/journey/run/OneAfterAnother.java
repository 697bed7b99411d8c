package dev.pitwall.journey.run;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks steps so that their changes can be made one after another. Two steps may write the same file, each as it is now:
 * the second is then asked what it would write after the first, or it would take away what the first has written.
 */
final class OneAfterAnother {
    private final Situation situation;
    private final Map<String, Content> written = new HashMap<>();

    OneAfterAnother(Situation situation) {
        this.situation = situation;
    }

    /** What a step says; of what is there now, and with the changes that fit after those before it. */
    Answer ask(Step step) {
        Answer now = step.look(situation);
        if (files(now.changes()).stream().noneMatch(f -> written.containsKey(f.path()))) {
            return now;
        }
        Answer then = step.look(situation.on(situation.host().withFiles(written)));
        boolean fits = then.state() == Answer.State.READY || then.state() == Answer.State.DONE;
        return fits ? new Answer(now.state(), now.why(), now.found(), then.changes(), now.notes(), now.questions())
                : now;
    }

    /** The changes of an answer are made before those of later steps. */
    void made(Answer answer) {
        files(answer.changes()).forEach(f -> written.put(f.path(), f.after()));
    }

    private List<FileChange> files(List<Change> changes) {
        return changes.stream().filter(FileChange.class::isInstance).map(FileChange.class::cast)
                .filter(f -> f.host().equals(situation.host().host())).toList();
    }
}
