package dev.pitwall.lab.kube.agent.kyverno;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.Admission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** One rule of a policy: what it is about, and what it does to it. */
final class Rule {
    private static final Set<String> WORDS = Set.of("name", "match", "exclude", "preconditions", "mutate", "validate",
            "skipBackgroundRequests");
    /** Kinds whose template of a pod a rule about pods is carried over to, unless its policy says otherwise. */
    private static final List<String> CONTROLLERS = List.of("DaemonSet", "Deployment", "Job", "ReplicaSet",
            "ReplicationController", "StatefulSet");

    private final JsonNode rule;
    private final List<String> carriedTo;

    /** @param carriedTo kinds with templates that it is carried over to, empty if it is not about pods */
    Rule(JsonNode rule, List<String> carriedTo) {
        this.rule = rule;
        this.carriedTo = carriedTo;
    }

    String name() {
        return rule.path("name").asText();
    }

    /** @throws NotUnderstood if it uses words that are not known here */
    void check() {
        rule.fieldNames().forEachRemaining(word -> {
            if (!WORDS.contains(word)) {
                throw new NotUnderstood(word);
            }
        });
        known(rule.path("mutate"), "mutate.", Set.of("patchStrategicMerge", "patchesJson6902", "foreach"));
        known(rule.path("validate"), "validate.", Set.of("message", "pattern", "anyPattern", "deny", "failureAction"));
        Stream.of("match", "exclude").flatMap(part -> filters(rule.path(part))).forEach(filter -> {
            known(filter, "match.", Set.of("resources"));
            known(filter.path("resources"), "match.resources.", Set.of("kinds", "names", "name", "namespaces",
                    "selector", "operations", "annotations"));
        });
    }

    private static void known(JsonNode part, String path, Set<String> words) {
        part.fieldNames().forEachRemaining(word -> {
            if (!words.contains(word)) {
                throw new NotUnderstood(path + word);
            }
        });
    }

    boolean mutates() {
        return rule.has("mutate");
    }

    /** Carries itself out on an object that is to be kept. */
    void mutate(Admission.Request request, String kind) {
        subject(request, kind).ifPresent(subject -> {
            Variables variables = Variables.of(request, subject.deepCopy());
            if (!Terms.hold(rule.path("preconditions"), variables)) {
                return;
            }
            patch(subject, rule.path("mutate"), variables);
            for (JsonNode each : rule.at("/mutate/foreach")) {
                JsonNode list = variables.evaluate(each.path("list").asText());
                for (int i = 0; i < list.size(); i++) {
                    Variables element = variables.element(list.get(i), i);
                    if (Terms.hold(each.path("preconditions"), element)) {
                        patch(subject, each, element);
                    }
                }
            }
        });
    }

    private static void patch(ObjectNode subject, JsonNode mutate, Variables variables) {
        if (mutate.has("patchStrategicMerge")) {
            StrategicPatch.apply(subject, variables.fill(mutate.path("patchStrategicMerge")));
        }
        if (mutate.has("patchesJson6902")) {
            JsonPatch.apply(subject, JmesPath.text(variables.fill(mutate.path("patchesJson6902"))));
        }
    }

    /** @return why the object must not be kept, in Kyverno's words; empty if it may */
    Optional<String> objection(Admission.Request request, String kind) {
        return subject(request, kind).flatMap(subject -> {
            Variables variables = Variables.of(request, subject);
            if (!rule.has("validate") || !Terms.hold(rule.path("preconditions"), variables)) {
                return Optional.empty();
            }
            JsonNode validate = rule.path("validate");
            String message = JmesPath.text(variables.fill(validate.path("message")));
            if (validate.has("deny")) {
                return Terms.hold(validate.at("/deny/conditions"), variables) ? Optional.of(message)
                        : Optional.empty();
            }
            return misfit(subject, validate, variables).map(path -> "validation error: "
                    + (message.isEmpty() ? "" : message.endsWith(".") ? message + " " : message + ". ") + "rule "
                    + name() + " failed at path " + path);
        });
    }

    private static Optional<String> misfit(JsonNode subject, JsonNode validate, Variables variables) {
        if (validate.has("pattern")) {
            return Shape.misfit(subject, variables.fill(validate.path("pattern")), "");
        }
        Optional<String> last = Optional.empty();
        for (JsonNode pattern : validate.path("anyPattern")) {
            last = Shape.misfit(subject, variables.fill(pattern), "");
            if (last.isEmpty()) {
                return last;
            }
        }
        return last;
    }

    String failureAction(String ofPolicy) {
        return rule.at("/validate/failureAction").asText(ofPolicy);
    }

    /** What the rule is about in a request: the object, or the template of a pod in it; empty if it is not about it. */
    private Optional<ObjectNode> subject(Admission.Request request, String kind) {
        if (matches(request, kind)) {
            return Optional.of(request.object());
        }
        boolean carried = carriedTo.contains(kind) && matches(request, "Pod");
        return carried && request.object().at("/spec/template") instanceof ObjectNode template ? Optional.of(template)
                : Optional.empty();
    }

    /** True if it may be about objects of a kind. */
    boolean isAbout(String kind) {
        return carriedTo.contains(kind) || filters(rule.path("match")).anyMatch(filter -> kind(filter, kind));
    }

    private boolean matches(Admission.Request request, String kind) {
        return matches(rule.path("match"), request, kind)
                && !(rule.has("exclude") && matches(rule.path("exclude"), request, kind));
    }

    private static boolean matches(JsonNode match, Admission.Request request, String kind) {
        if (match.has("all")) {
            return StreamSupport.stream(match.path("all").spliterator(), false)
                    .allMatch(filter -> matchesOne(filter, request, kind));
        }
        return filters(match).anyMatch(filter -> matchesOne(filter, request, kind));
    }

    private static Stream<JsonNode> filters(JsonNode match) {
        if (match.has("any") || match.has("all")) {
            return Stream.of("any", "all").flatMap(word -> StreamSupport.stream(match.path(word).spliterator(), false));
        }
        return match.has("resources") ? Stream.of(match) : Stream.empty();
    }

    private static boolean matchesOne(JsonNode filter, Admission.Request request, String kind) {
        JsonNode resources = filter.path("resources");
        JsonNode metadata = request.object().path("metadata");
        return kind(filter, kind)
                && anyFits(resources.path("namespaces"), request.namespace())
                && anyFits(resources.path("names"), request.name())
                && (!resources.has("name") || Terms.fits(request.name(), resources.path("name").asText()))
                && anyFits(resources.path("operations"), request.operation().name())
                && Labels.select(resources.path("selector"), metadata.path("labels"))
                && Labels.allFit(resources.path("annotations"), metadata.path("annotations"));
    }

    /** A kind may stand with its group and version in front, as in {@code apps/v1/Deployment}. */
    private static boolean kind(JsonNode filter, String kind) {
        JsonNode kinds = filter.at("/resources/kinds");
        return !kinds.isArray() || StreamSupport.stream(kinds.spliterator(), false)
                .anyMatch(wanted -> Terms.fits(kind, wanted.asText().replaceFirst("^.*/", "")));
    }

    private static boolean anyFits(JsonNode wanted, String text) {
        return !wanted.isArray() || wanted.isEmpty() || StreamSupport.stream(wanted.spliterator(), false)
                .anyMatch(one -> Terms.fits(text, one.asText()));
    }

    /**
     * Where a policy's rules about pods go besides: the annotation {@code pod-policies.kyverno.io/autogen-controllers}
     * names kinds, or {@code none}. A rule that patches by path, or picks pods by name, label or annotation stays where
     * it is. [kyverno.io: Auto-Gen rules]
     */
    static List<String> carriedTo(JsonNode policy, JsonNode rule) {
        String asked = policy.at("/metadata/annotations").path("pod-policies.kyverno.io/autogen-controllers").asText("");
        boolean pods = filters(rule.path("match")).allMatch(filter -> filter.at("/resources/kinds").size() == 1
                && filter.at("/resources/kinds/0").asText().equals("Pod")
                && Stream.of("name", "names", "selector", "annotations").noneMatch(filter.path("resources")::has));
        if (!pods || rule.at("/mutate").has("patchesJson6902") || asked.equals("none")) {
            return List.of();
        }
        return asked.isEmpty() ? CONTROLLERS : List.of(asked.split("\\s*,\\s*"));
    }
}
