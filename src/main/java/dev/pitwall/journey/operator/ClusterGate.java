package dev.pitwall.journey.operator;

import dev.pitwall.card.Sentences;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import java.util.List;
import java.util.Optional;

/** What every step of the cluster says while there is no cluster to speak of. */
record ClusterGate(Settings settings, Sentences texts) {

    /**
     * Its answer where the site has no cluster, or it cannot be read. One that is silent may be starting anew, as it does
     * on RKE2 when the toolkit restarts containerd (facts: cluster.md 5), so it is waited for.
     */
    Optional<Answer> before(Situation situation) {
        if (situation.cluster().isEmpty()) {
            return Optional.of(Answer.of(State.NOT_APPLICABLE, texts.say("gate.none"), List.of()));
        }
        ClusterSurvey survey = situation.cluster().get();
        Optional<Trouble> silence = survey.silence();
        if (silence.isPresent()) {
            return Optional.of(Answer.of(State.WAITING, texts.say("gate.silent", silence.get().sentence()), List.of())
                    .noting(silence.get().next()).coming("cluster-answers", settings.coming("silence")));
        }
        return survey.trouble(ObjectType.NODE.resource()).map(trouble -> Answer.of(State.UNKNOWN,
                texts.say("gate.unread", trouble.sentence()), List.of()).noting(trouble.next()));
    }
}
