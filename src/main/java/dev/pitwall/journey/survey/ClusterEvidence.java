package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Source;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.YamlText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Collects the rows of "What we found" of a cluster: each with the object or the listing that it rests on. */
public final class ClusterEvidence {
    private final ClusterSurvey survey;
    private final List<Found> rows = new ArrayList<>();

    public ClusterEvidence(ClusterSurvey survey) {
        this.survey = survey;
    }

    /**
     * A row that rests on a listing.
     *
     * @param what     a type's resource, or another name in {@link ClusterSurvey#shown}
     * @param deciding a text that the lines have that decide
     */
    public void listing(String name, String value, Mark mark, String what, String... deciding) {
        Shown shown = survey.shown().getOrDefault(what, new Shown(source("kubectl get " + what), at(), "", false));
        rows.add(Evidence.found(name, value, mark, shown, lines(deciding)));
    }

    /** A row that rests on one object. */
    public void object(String name, String value, Mark mark, ObjectType type, JsonNode object, String... deciding) {
        part(name, value, mark, type, object, object, deciding);
    }

    /**
     * A row that rests on a part of an object: the rest is not shown, for example what a person has set in it.
     *
     * @param part for example its status
     */
    public void part(String name, String value, Mark mark, ObjectType type, JsonNode object, JsonNode part,
                     String... deciding) {
        String namespace = object.at("/metadata/namespace").asText("");
        String detail = "kubectl get " + type.resource() + " " + object.at("/metadata/name").asText()
                + (namespace.isEmpty() ? "" : " -n " + namespace) + " -o yaml";
        rows.add(Evidence.found(name, value, mark, new Shown(source(detail), at(), text(part), true),
                lines(deciding)));
    }

    private Source source(String detail) {
        return new Source(Source.Kind.CLUSTER, survey.name(), detail);
    }

    /** Without what only says who wrote it, and a node's list of images, which is longer than all else. */
    private static String text(JsonNode object) {
        if (!object.isObject()) {
            return object.isMissingNode() ? "" : YamlText.of(object);
        }
        ObjectNode shown = object.deepCopy();
        if (shown.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        if (shown.path("status") instanceof ObjectNode status) {
            status.remove("images");
        }
        return YamlText.of(shown);
    }

    private static Predicate<String> lines(String... deciding) {
        return line -> Arrays.stream(deciding).anyMatch(text -> !text.isEmpty() && line.contains(text));
    }

    /** When the last of the survey was read. */
    public Instant at() {
        return survey.shown().values().stream().map(Shown::at).max(Comparator.naturalOrder()).orElse(Instant.EPOCH);
    }

    public List<Found> rows() {
        return List.copyOf(rows);
    }
}
