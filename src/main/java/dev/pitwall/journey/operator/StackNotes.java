package dev.pitwall.journey.operator;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.StackNames;
import java.util.ArrayList;
import java.util.List;

/** What a person should know before the stack is installed or changed. */
final class StackNotes {
    private final Compose compose;
    private final OperatorVersions versions;
    private final Sentences texts;

    StackNotes(Compose compose, OperatorVersions versions) {
        this.compose = compose;
        this.versions = versions;
        this.texts = compose.texts();
    }

    List<String> of(StackRelease wanted, ChartValues values) {
        List<String> notes = new ArrayList<>();
        if (wanted.change().isEmpty()) {
            return notes;
        }
        ClusterSurvey survey = compose.cluster().survey();
        boolean operator = compose.chart().file().name().equals(StackNames.OPERATOR);
        if (operator) {
            ofOperator(wanted, values, notes);
        }
        compose.dead().ifPresent(d -> notes.add(texts.say(compose.installs() ? "note.dead.install" : "note.dead", d.name(),
                d.revision(), d.status(), d.updated())));
        compose.release().filter(r -> r.status().equals("failed")).ifPresent(r ->
                notes.add(texts.say("note.failed", r.revision())));
        if (compose.installs()) {
            notes.add(texts.say(wanted.knowsDefinitions() ? "note.undo" : "note.undo.definitions"));
            notes.add(texts.say("note.undo.capacity"));
        } else if (compose.upgrades()) {
            compose.chart().file().definitions().stream().filter(d -> !survey.defines(d)).findFirst()
                    .ifPresent(d -> notes.add(texts.say("note.newDefinition", d)));
        }
        return notes;
    }

    private void ofOperator(StackRelease wanted, ChartValues values, List<String> notes) {
        String version = compose.chart().file().version();
        ClusterNeeds needs = ClusterNeeds.of(compose.cluster().situation(), compose.cluster().survey(), false);
        if (versions.untested(version, needs)) {
            notes.add(texts.say("note.untested", version, compose.cluster().survey().version()));
        }
        if (!versions.known(version)) {
            notes.add(texts.say("note.unknownVersion", version));
        }
        boolean toolkit = values.now("toolkit.enabled").asBoolean(true);
        if (toolkit && (compose.installs() || wanted.touches("toolkit"))) {
            notes.add(texts.say("note.containerd." + compose.cluster().survey().distribution()));
        }
        if (!compose.installs() && (compose.upgrades() || wanted.touches("driver"))
                && values.now("driver.enabled").asBoolean(true)) {
            notes.add(texts.say("note.driverRollout"));
        }
        boolean asDefault = values.now("toolkit.env").valueStream()
                .anyMatch(v -> v.path("name").asText().equals("CONTAINERD_SET_AS_DEFAULT"));
        if (asDefault && values.now("cdi.enabled").asBoolean(false)) {
            notes.add(texts.say("note.setAsDefault"));
        }
    }
}
