package dev.pitwall.journey.consent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.Cluster.Claim;
import dev.pitwall.journey.FieldManager;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Which fields of a change others keep. */
final class Holds {
    private static final int LONGEST = 120;
    /** Helm itself is who makes the change then. */
    private static final String HELM = "helm";

    private final Keepers keepers;

    Holds(Keepers keepers) {
        this.keepers = keepers;
    }

    /** As those tell who have written the object's fields. */
    List<Hold> of(ManifestChange change, List<FieldManager> managers) {
        if (change.before().isEmpty()) {
            return List.of();
        }
        JsonNode fields = change.differing();
        List<Hold> holds = new ArrayList<>();
        for (FieldManager manager : managers) {
            Optional<Keeper> keeper = keepers.of(manager.name(), manager.operation());
            if (keeper.isPresent() && change.after().isEmpty()) {
                holds.add(new Hold(change.object(), "", "", manager.name(), keeper.get(), manager.since()));
            } else if (keeper.isPresent()) {
                manager.has(fields).forEach(field -> holds.add(new Hold(change.object(), field, value(fields, field),
                        manager.name(), keeper.get(), manager.since())));
            }
        }
        return holds;
    }

    /** Fields that somebody has set who does not keep them, as a person with {@code kubectl label} has. */
    List<Set> setBefore(ManifestChange change, List<FieldManager> managers) {
        JsonNode fields = change.differing();
        List<Set> sets = new ArrayList<>();
        managers.stream().filter(m -> !keepers.isOwn(m.name()) && keepers.of(m.name(), m.operation()).isEmpty()).forEach(m ->
                m.has(fields).forEach(field -> sets.add(new Set(change.object(), field, m.name(), m.since()))));
        return sets;
    }

    /** A field that was set once. */
    record Set(ObjectRef object, String field, String manager, Optional<Instant> since) {
    }

    /** As the API server tells who would be overwritten. */
    List<Hold> of(ManifestChange change, List<Claim> claims, List<FieldManager> managers) {
        List<Hold> holds = new ArrayList<>();
        for (Claim claim : claims) {
            keepers.of(claim.manager(), claim.operation()).ifPresent(keeper -> holds.add(new Hold(change.object(), claim.field(),
                    value(change.differing(), claim.field()), claim.manager(), keeper, since(claim, managers))));
        }
        return holds;
    }

    private static Optional<Instant> since(Claim claim, List<FieldManager> managers) {
        return managers.stream().filter(m -> m.name().equals(claim.manager()) && m.operation() == claim.operation())
                .findFirst().flatMap(FieldManager::since);
    }

    /**
     * Of a release that is there: the chart makes the ClusterPolicy of its values, whose fields have the same names (facts:
     * cluster.md 1.2).
     */
    List<Hold> of(HelmChange change, List<ObjectRef> policies, Function<ObjectRef, List<FieldManager>> managers) {
        if (change.before().isEmpty()) {
            return List.of();
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        change.lines().forEach(line -> put(fields.withObjectProperty("spec"), line.path(), line.value()));
        List<Hold> holds = new ArrayList<>();
        for (ObjectRef policy : policies) {
            for (FieldManager manager : managers.apply(policy)) {
                keepers.of(manager.name(), manager.operation()).filter(k -> !manager.name().equals(HELM)).ifPresent(keeper ->
                        manager.has(fields).forEach(field -> holds.add(new Hold(policy, field, value(fields, field),
                                manager.name(), keeper, manager.since()))));
            }
        }
        return holds;
    }

    private static void put(ObjectNode tree, String path, String value) {
        ObjectNode at = tree;
        String[] names = path.split("\\.");
        for (int i = 0; i < names.length - 1; i++) {
            if (!(at.path(names[i]) instanceof ObjectNode)) {
                at.remove(names[i]);
            }
            at = at.withObjectProperty(names[i]);
        }
        at.put(names[names.length - 1], value);
    }

    /** The value at a place whose names may have dots themselves, as those of labels do. */
    private static String value(JsonNode tree, String place) {
        for (var field : tree.properties()) {
            if (place.equals(field.getKey())) {
                String text = field.getValue().isTextual() ? field.getValue().asText()
                        : field.getValue().isNull() ? "" : field.getValue().toString();
                return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
            }
            if (place.startsWith(field.getKey() + ".")) {
                return value(field.getValue(), place.substring(field.getKey().length() + 1));
            }
        }
        return "";
    }
}
