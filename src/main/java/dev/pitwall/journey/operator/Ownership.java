package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.consent.GitOpsMark;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.ClusterSurvey.Distribution;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who else than Helm's user decides over a release: it would be put back, so it is changed there (facts: cluster.md 5). */
final class Ownership {
    private static final String ADDON_NAMESPACE = "gpu-operator-resources";
    private static final int NAMED = 5;

    private final ClusterSurvey survey;
    private final Sentences texts;

    Ownership(ClusterSurvey survey, Sentences texts) {
        this.survey = survey;
        this.texts = texts;
    }

    /**
     * Whose a release is.
     *
     * @param who   for example {@code Argo CD (Application argocd/gpu-operator)}
     * @param why   one sentence
     * @param where to change it there instead
     */
    record Owner(String who, String why, String where, Acts acts) {

        Obstacle obstacle(String takeOver) {
            return Obstacle.blocked(why, where + " " + takeOver);
        }
    }

    /** Whether an owner puts it back by itself, or only when somebody tells it to. */
    enum Acts { BY_ITSELF, WHEN_TOLD }

    /**
     * Empty if nobody else has it.
     *
     * @param release   empty where there is none, as where Argo CD renders the chart by itself
     * @param chart     its name
     * @param namespace of the release
     * @param change    what would be changed
     */
    Optional<Owner> of(Optional<Release> release, String chart, String namespace, Optional<HelmChange> change) {
        String values = change.map(Ownership::values).orElse("");
        return release.flatMap(this::byDistribution).or(() -> gitOps(release, chart, namespace).map(g -> owner(g, values)));
    }

    private Owner owner(Kept kept, String values) {
        String who = kept.mark().tool() + " (" + kept.mark().source() + ")";
        return new Owner(who, texts.say(kept.acts() == Acts.BY_ITSELF ? "owner.tool" : "owner.tool.told", who),
                values.isEmpty() ? texts.say("owner.tool.next", kept.mark().source())
                        : texts.say("owner.tool.values", values, kept.mark().source()), kept.acts());
    }

    private static String values(HelmChange change) {
        String some = change.lines().stream().limit(NAMED).map(l -> l.path() + "=" + l.value()).collect(Collectors.joining(", "));
        return change.lines().size() <= NAMED ? some : some + ", …";
    }

    private Optional<Owner> byDistribution(Release release) {
        Optional<JsonNode> chart = survey.all(ObjectType.HELM_CHART).stream().filter(c -> makes(c, release)).findFirst();
        if (chart.isPresent()) {
            String name = place(chart.get());
            return Optional.of(new Owner("HelmChart " + name, texts.say("owner.helmChart", name),
                    texts.say("owner.helmChart.next", name), Acts.BY_ITSELF));
        }
        return survey.distribution() == Distribution.MICROK8S && release.namespace().equals(ADDON_NAMESPACE)
                ? Optional.of(new Owner("MicroK8s", texts.say("owner.addon"), texts.say("owner.addon.next"), Acts.BY_ITSELF))
                : Optional.empty();
    }

    /** The controller of k3s and RKE2 names the release after the object, and puts it into the target namespace. */
    private static boolean makes(JsonNode chart, Release release) {
        String target = chart.at("/spec/targetNamespace").asText(CardCluster.namespace(chart));
        return CardCluster.name(chart).equals(release.name()) && target.equals(release.namespace());
    }

    private record Kept(GitOpsMark mark, Acts acts) {
    }

    /** Who says so in an object of its own, and else who has left a mark on what the release has made. */
    private Optional<Kept> gitOps(Optional<Release> release, String chart, String namespace) {
        return survey.all(ObjectType.FLUX_RELEASE).stream().filter(f -> f.at("/spec/chart/spec/chart").asText().equals(chart)
                        || release.filter(r -> name(f).equals(r.name()) && target(f).equals(r.namespace())).isPresent())
                .findFirst().map(f -> new Kept(new GitOpsMark(GitOpsMark.FLUX, "HelmRelease " + place(f)),
                        f.at("/spec/suspend").asBoolean(false) ? Acts.WHEN_TOLD : Acts.BY_ITSELF))
                .or(() -> application(chart)).or(() -> marked(release, namespace));
    }

    /** Flux names a release after its object, with the target namespace before it (fluxcd: helm-controller, HelmRelease). */
    private static String name(JsonNode release) {
        String target = release.at("/spec/targetNamespace").asText("");
        return release.at("/spec/releaseName").asText((target.isEmpty() ? "" : target + "-") + CardCluster.name(release));
    }

    private static String target(JsonNode release) {
        return release.at("/spec/targetNamespace").asText(CardCluster.namespace(release));
    }

    /** One of this chart, or one that has made the ClusterPolicy. */
    private Optional<Kept> application(String chart) {
        return survey.all(ObjectType.ARGO_APPLICATION).stream().filter(a -> Stream.concat(Stream.of(a.at("/spec/source")),
                        a.at("/spec/sources").valueStream()).anyMatch(s -> s.path("chart").asText().equals(chart))
                        || a.at("/status/resources").valueStream().anyMatch(r -> r.path("kind").asText().equals("ClusterPolicy")
                        && r.path("group").asText().equals(ObjectType.CLUSTER_POLICY.group())))
                .findFirst().map(a -> new Kept(new GitOpsMark(GitOpsMark.ARGO, "Application " + place(a)),
                        automated(a.at("/spec/syncPolicy/automated")) ? Acts.BY_ITSELF : Acts.WHEN_TOLD));
    }

    /** An empty object switches it on, and {@code enabled: false} off again (argo-cd: user-guide/auto_sync.md). */
    private static boolean automated(JsonNode policy) {
        return policy.isObject() && policy.path("enabled").asBoolean(true);
    }

    private Optional<Kept> marked(Optional<Release> release, String namespace) {
        Set<String> applications = survey.all(ObjectType.ARGO_APPLICATION).stream().map(CardCluster::name)
                .collect(Collectors.toSet());
        Stream<JsonNode> made = Stream.concat(survey.in(ObjectType.DEPLOYMENT, namespace), Stream.concat(
                survey.in(ObjectType.DAEMON_SET, namespace), survey.all(ObjectType.CLUSTER_POLICY).stream()));
        String own = release.map(r -> r.namespace() + "/" + r.name()).orElse("");
        return made.filter(o -> release.isEmpty() || CardCluster.release(o).filter(r -> !r.equals(own)).isEmpty())
                .flatMap(o -> GitOpsMark.of(o, applications).stream()).findFirst().map(mark -> new Kept(mark, Acts.BY_ITSELF));
    }

    private static String place(JsonNode object) {
        return CardCluster.namespace(object) + "/" + CardCluster.name(object);
    }
}
