package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.read.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether a namespace lets the stack's pods in: it goes, a quota stops them, a LimitRange is too small for them. */
final class Admission {
    /** The priority class of all operands in the chart's defaults. */
    private static final String PRIORITY = "system-node-critical";
    private static final List<String> ASKED_OF_EVERY_POD =
            List.of("limits.cpu", "limits.memory", "requests.cpu", "requests.memory", "cpu", "memory");

    private final ClusterSurvey survey;
    private final String namespace;
    private final Settings settings;
    private final Sentences texts;

    Admission(ClusterSurvey survey, String namespace, Settings settings, Sentences texts) {
        this.survey = survey;
        this.namespace = namespace;
        this.settings = settings;
        this.texts = texts;
    }

    /** @param now to tell how long the namespace is on its way out */
    Optional<Obstacle> obstacle(Instant now) {
        return Stream.of(goes(now), quota(), limits()).flatMap(Optional::stream).findFirst();
    }

    private Optional<Obstacle> goes(Instant now) {
        return survey.one(ObjectType.NAMESPACE, "", namespace)
                .filter(n -> n.at("/metadata/deletionTimestamp").isTextual()).map(n -> {
                    Instant since = Instant.parse(n.at("/metadata/deletionTimestamp").asText());
                    Duration normal = settings.coming("namespace");
                    return since.plus(normal).isAfter(now)
                            ? Obstacle.waiting(texts.say("namespace.goes", namespace), "namespace-goes", normal)
                            : Obstacle.blocked(texts.say("namespace.stuck", namespace, holders(n)),
                            texts.say("namespace.stuck.next", namespace));
                });
    }

    private String holders(JsonNode namespace) {
        return namespace.at("/status/conditions").valueStream().filter(c -> c.path("status").asText().equals("True"))
                .map(c -> c.path("message").asText("")).filter(m -> m.contains("remaining") || m.contains("finalizer"))
                .findFirst().map(m -> texts.say("namespace.holder", m)).orElse("");
    }

    private Optional<Obstacle> quota() {
        return survey.in(ObjectType.RESOURCE_QUOTA, namespace).flatMap(quota -> quota(quota).stream()).findFirst();
    }

    /** The operands have the priority class for nodes' own pods, and neither requests nor limits. */
    private Optional<Obstacle> quota(JsonNode quota) {
        if (!covers(quota)) {
            return Optional.empty();
        }
        String name = CardCluster.name(quota);
        JsonNode hard = quota.at("/spec/hard");
        Optional<String> asked = ASKED_OF_EVERY_POD.stream().filter(hard::has).findFirst()
                .filter(key -> rangeIsMissing());
        if (asked.isPresent()) {
            return Optional.of(Obstacle.blocked(texts.say("quota.limits", name, namespace, asked.get()),
                    texts.say("quota.next", name)));
        }
        boolean full = Stream.of("pods", "count/pods").filter(hard::has).anyMatch(key ->
                Numbers.quantity(hard.path(key).asText()).orElse(0)
                        <= Numbers.quantity(quota.at("/status/used").path(key).asText("0")).orElse(0));
        return full ? Optional.of(Obstacle.blocked(texts.say("quota.pods", name, namespace),
                texts.say("quota.next", name))) : Optional.empty();
    }

    /** A quota of all pods, or of those of the operands' priority. */
    private static boolean covers(JsonNode quota) {
        JsonNode scopes = quota.at("/spec/scopeSelector/matchExpressions");
        return scopes.isEmpty() ? quota.at("/spec/scopes").isEmpty() : scopes.valueStream().anyMatch(s ->
                s.path("scopeName").asText().equals("PriorityClass") && switch (s.path("operator").asText()) {
                    case "In" -> names(s);
                    case "NotIn" -> !names(s);
                    default -> s.path("operator").asText().equals("Exists");
                });
    }

    private static boolean names(JsonNode selector) {
        return selector.path("values").valueStream().anyMatch(v -> v.asText().equals(PRIORITY));
    }

    /** A LimitRange fills in what a quota asks of every pod. */
    private boolean rangeIsMissing() {
        return containerLimits().noneMatch(limit -> limit.has("default") || limit.has("defaultRequest"));
    }

    private Stream<JsonNode> containerLimits() {
        return survey.in(ObjectType.LIMIT_RANGE, namespace).flatMap(range -> range.at("/spec/limits").valueStream())
                .filter(limit -> limit.path("type").asText().equals("Container"));
    }

    /** No value helps against a maximum. */
    private Optional<Obstacle> limits() {
        String needed = settings.memory().get("driver").least();
        return containerLimits().map(limit -> limit.at("/max/memory").asText(""))
                .filter(max -> !max.isEmpty() && OperatorValues.less(max, needed)).findFirst()
                .map(max -> Obstacle.blocked(texts.say("range.max", namespace, max, needed), texts.say("range.next")));
    }
}
