package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.NodeReport.Taint;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.consent.TakeOver;
import dev.pitwall.journey.operator.Ownership.Acts;
import dev.pitwall.journey.operator.Ownership.Owner;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.ClusterSurvey.Charts;
import dev.pitwall.journey.survey.StackNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What keeps the stack from being installed or changed, each refused before anything is written. */
final class StackObstacles {
    /** The system and its major release, which an image's tag names: patch levels do not count. */
    private static final Pattern SYSTEM = Pattern.compile("^(\\D+\\d+(?:\\.\\d+)?)");

    private final CardCluster cluster;
    private final ClusterSurvey survey;
    private final Stack stack;
    private final Settings settings;
    private final Sentences texts;

    StackObstacles(CardCluster cluster, Stack stack, Settings settings, Sentences texts) {
        this.cluster = cluster;
        this.survey = cluster.survey();
        this.stack = stack;
        this.settings = settings;
        this.texts = texts;
    }

    /** What stands in the way whatever would be changed. */
    Optional<Obstacle> before(Optional<Release> release, Instant now) {
        return Stream.of(unreadable(), byClaims(), rival(), twice(), withoutRelease(release), pending(release, now))
                .flatMap(Optional::stream).findFirst();
    }

    private Optional<Obstacle> unreadable() {
        Optional<Obstacle> policies = survey.trouble(ObjectType.CLUSTER_POLICY.resource()).map(t ->
                Obstacle.unknown(texts.say("unread.policies", t.sentence()), t.next()));
        if (policies.isPresent()) {
            return policies;
        }
        return survey.trouble(ClusterSurvey.RELEASES).map(t -> Obstacle.unknown(texts.say("unread.releases", t.sentence()),
                t.next()));
    }

    /** There is no way in place from claims to the device plugin, or back (facts: cluster.md 1.7). */
    private Optional<Obstacle> byClaims() {
        return survey.all(ObjectType.GPU_CLUSTER).stream().findFirst().map(c ->
                Obstacle.blocked(texts.say("claims", CardCluster.name(c)), texts.say("claims.next", CardCluster.name(c))));
    }

    /** Two plugins that register one resource fight (facts: cluster.md 1.9). */
    private Optional<Obstacle> rival() {
        List<JsonNode> plugins = cluster.standalonePlugins();
        if (stack == Stack.OPERATOR && !plugins.isEmpty()) {
            JsonNode plugin = plugins.getFirst();
            String name = CardCluster.namespace(plugin) + "/" + CardCluster.name(plugin);
            return Optional.of(Obstacle.blocked(texts.say("rival.plugin", name), CardCluster.release(plugin)
                    .map(r -> texts.say("rival.plugin.release", r)).orElse(texts.say("rival.plugin.manifest", name))));
        }
        boolean operates = Policies.counting(survey).filter(p -> p.at("/spec/devicePlugin/enabled").asBoolean(true))
                .isPresent();
        return stack == Stack.DEVICE_PLUGIN && operates
                ? Optional.of(Obstacle.blocked(texts.say("rival.operator"), texts.say("rival.operator.next")))
                : Optional.empty();
    }

    private Optional<Obstacle> twice() {
        List<Release> all = survey.releasesOf(stack == Stack.OPERATOR ? StackNames.OPERATOR : StackNames.DEVICE_PLUGIN);
        return all.size() < 2 ? Optional.empty() : Optional.of(Obstacle.blocked(texts.say("twice", all.stream()
                .map(r -> r.namespace() + "/" + r.name()).sorted().collect(Collectors.joining(", "))), texts.say("twice.next")));
    }

    private Optional<Obstacle> withoutRelease(Optional<Release> release) {
        return stack == Stack.OPERATOR && release.isEmpty() ? Policies.counting(survey).map(p ->
                new Ownership(survey, texts).of(release, StackNames.OPERATOR, p.at("/status/namespace").asText(""),
                                Optional.empty()).map(o -> Obstacle.blocked(o.why(), o.where())).orElseGet(() ->
                        Obstacle.blocked(texts.say("policy.foreign", CardCluster.name(p)), texts.say("policy.foreign.next"))))
                : Optional.empty();
    }

    /**
     * Helm refuses another operation until the one that is noted has ended; one that died never does, and is forgotten
     * where it is known what counts without it.
     */
    private Optional<Obstacle> pending(Optional<Release> newest, Instant now) {
        return newest.filter(Release::pending).flatMap(r -> {
            Duration normal = settings.coming("helm");
            if (r.updated().plus(normal).isAfter(now)) {
                return Optional.of(Obstacle.waiting(texts.say("pending.works", r.name(), r.status()), "helm-works", normal));
            }
            return DeadRelease.canBeForgotten(r, survey) ? Optional.empty() : Optional.of(Obstacle.blocked(
                    texts.say("pending.stuck", r.name(), r.status()),
                    texts.say("pending.stuck.next", r.name(), r.namespace())));
        });
    }

    /** What speaks against the version that is to be there. */
    Optional<Obstacle> unfit(Charts chart, OperatorVersions versions) {
        boolean byOperator = DriverSource.of(cluster.situation(), survey) == DriverSource.OPERATOR;
        ClusterNeeds needs = ClusterNeeds.of(cluster.situation(), survey, byOperator);
        String version = chart.file().version();
        return versions.objection(version, needs).map(o -> Obstacle.blocked(switch (o) {
            case KUBERNETES -> texts.say("unfit.KUBERNETES", version, survey.version());
            case CARDS -> texts.say("unfit.CARDS", version, needs.cards().names());
            case TALOS -> texts.say("unfit.TALOS", version);
            case JUMP -> texts.say("unfit.JUMP", version, needs.installed().orElse(""));
            case OLDER -> texts.say("unfit.OLDER", version, needs.installed().orElse(""));
        }, versions.best(chart.versions(), needs).map(v -> texts.say("unfit.next", v)).orElse(texts.say("unfit.none"))));
    }

    /** What stands in the way of changes. */
    Optional<Obstacle> against(List<Change> changes, Optional<Owner> owner, String namespace, Instant now) {
        boolean helm = changes.stream().anyMatch(HelmChange.class::isInstance);
        Optional<Obstacle> owned = owner.filter(o -> helm && o.acts() == Acts.BY_ITSELF
                && !TakeOver.chosen(cluster.situation().choices())).map(o -> o.obstacle(texts.say("owner.takeOver", o.who())));
        return Stream.of(owned, new Admission(survey, namespace, settings, texts).obstacle(now), privilege(namespace), helm ? drivers()
                        : Optional.<Obstacle>empty(), discovery())
                .flatMap(Optional::stream).findFirst();
    }

    /** A namespace that refuses the pods, and that nobody here may label; the operator can label its own. */
    private Optional<Obstacle> privilege(String namespace) {
        boolean refused = Namespaces.lacksPrivilege(survey, namespace) && !survey.may("patch", ObjectType.NAMESPACE, "");
        return refused && stack == Stack.DEVICE_PLUGIN
                ? Optional.of(Obstacle.blocked(texts.say("privilege", namespace), texts.say("rights.next")))
                : Optional.empty();
    }

    /** An image's tag names one system, and there are images for some (facts: cluster.md 1.1, 1.6). */
    private Optional<Obstacle> drivers() {
        boolean byOperator = stack == Stack.OPERATOR
                && DriverSource.of(cluster.situation(), survey) == DriverSource.OPERATOR;
        boolean several = Policies.counting(survey).filter(p -> p.at("/spec/driver/useNvidiaDriverCRD").asBoolean(false))
                .isPresent();
        if (!byOperator || several) {
            return Optional.empty();
        }
        TreeSet<String> systems = cluster.cardNodes().stream().map(StackObstacles::system).filter(s -> !s.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        Optional<String> without = systems.stream().filter(s -> settings.driverImages().stream().noneMatch(s::startsWith))
                .findFirst();
        if (without.isPresent()) {
            return Optional.of(Obstacle.blocked(texts.say("driver.noImage", without.get()), texts.say("driver.noImage.next")));
        }
        return systems.size() < 2 ? Optional.empty() : Optional.of(Obstacle.blocked(
                texts.say("driver.mixed", String.join(", ", systems)), texts.say("driver.mixed.next")));
    }

    private static String system(JsonNode node) {
        String image = node.at("/status/nodeInfo/osImage").asText("");
        Matcher m = SYSTEM.matcher(image);
        return m.find() ? m.group(1) : image;
    }

    /** Somebody else's NFD has to get onto the card's node, and its tolerations are not ours to set. */
    private Optional<Obstacle> discovery() {
        Optional<JsonNode> node = cluster.node().filter(n -> !CardCluster.hasCard(n));
        if (node.isEmpty()) {
            return Optional.empty();
        }
        List<Taint> taints = CardCluster.taints(node.get());
        return cluster.otherDiscovery(release()).stream().filter(set -> !new Tolerations(set.at("/spec/template/spec/tolerations"))
                .untolerated(taints).isEmpty()).findFirst().map(set -> Obstacle.blocked(texts.say("discovery.taint",
                CardCluster.namespace(set) + "/" + CardCluster.name(set), CardCluster.namesOf(new Tolerations(
                        set.at("/spec/template/spec/tolerations")).untolerated(taints))), texts.say("discovery.taint.next")));
    }

    private String release() {
        return survey.releasesOf(stack == Stack.OPERATOR ? StackNames.OPERATOR : StackNames.DEVICE_PLUGIN).stream()
                .findFirst().map(r -> r.namespace() + "/" + r.name()).orElse("");
    }
}
