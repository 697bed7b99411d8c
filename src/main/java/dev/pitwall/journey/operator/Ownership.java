package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.ClusterSurvey.Distribution;
import java.util.Optional;

/** Who else than Helm's user decides over a release: it would be put back, so it is changed there (facts: cluster.md 5). */
final class Ownership {
    private static final String ADDON_NAMESPACE = "gpu-operator-resources";
    private static final String FLUX = "helm.toolkit.fluxcd.io/name";
    private static final String ARGO = "argocd.argoproj.io/tracking-id";

    private final ClusterSurvey survey;
    private final Sentences texts;

    Ownership(ClusterSurvey survey, Sentences texts) {
        this.survey = survey;
        this.texts = texts;
    }

    /** Where the release is to be changed instead; empty if it may be changed here. */
    Optional<Obstacle> of(Release release) {
        Optional<JsonNode> chart = survey.all(ObjectType.HELM_CHART).stream().filter(c -> makes(c, release)).findFirst();
        if (chart.isPresent()) {
            String name = CardCluster.namespace(chart.get()) + "/" + CardCluster.name(chart.get());
            return Optional.of(Obstacle.blocked(texts.say("owner.helmChart", name), texts.say("owner.helmChart.next", name)));
        }
        if (survey.distribution() == Distribution.MICROK8S && release.namespace().equals(ADDON_NAMESPACE)) {
            return Optional.of(Obstacle.blocked(texts.say("owner.addon"), texts.say("owner.addon.next")));
        }
        return survey.in(ObjectType.DEPLOYMENT, release.namespace()).filter(d -> CardCluster.release(d)
                        .equals(Optional.of(release.namespace() + "/" + release.name())) || !tool(d).isEmpty())
                .map(Ownership::tool).filter(tool -> !tool.isEmpty()).findFirst()
                .map(tool -> Obstacle.blocked(texts.say("owner.tool", tool), texts.say("owner.tool.next", tool)));
    }

    /** The controller of k3s and RKE2 names the release after the object, and puts it into the target namespace. */
    private static boolean makes(JsonNode chart, Release release) {
        String target = chart.at("/spec/targetNamespace").asText(CardCluster.namespace(chart));
        return CardCluster.name(chart).equals(release.name()) && target.equals(release.namespace());
    }

    private static String tool(JsonNode deployment) {
        return deployment.at("/metadata/labels").has(FLUX) ? "Flux"
                : deployment.at("/metadata/annotations").has(ARGO) ? "Argo CD" : "";
    }
}
