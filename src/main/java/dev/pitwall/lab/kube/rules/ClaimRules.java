package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Texts;
import io.kubernetes.client.custom.Quantity;

import java.util.List;
import java.util.Optional;

/**
 * What a PersistentVolumeClaim may ask for, and what of it may be changed. [kubernetes: pkg/apis/core/validation,
 * ValidatePersistentVolumeClaimSpec and ValidatePersistentVolumeClaimUpdate]
 */
final class ClaimRules {
    private static final List<String> MODES = List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce",
            "ReadWriteOncePod");
    private static final String STORAGE = "/resources/requests/storage";

    private ClaimRules() {
    }

    static void check(JsonNode claim, Optional<ObjectNode> before, List<Problem> problems) {
        JsonNode spec = claim.path("spec");
        modes(spec.path("accessModes"), problems);
        JsonNode storage = spec.at(STORAGE);
        if (storage.isMissingNode()) {
            problems.add(Problem.required("spec.resources[storage]", ""));
        } else if (amount(storage).getNumber().signum() <= 0) {
            problems.add(Problem.invalid("spec.resources[storage]", Problem.quoted(storage.asText()),
                    "must be greater than zero"));
        }
        before.ifPresent(old -> changes(spec, old, problems));
    }

    private static void modes(JsonNode modes, List<Problem> problems) {
        if (modes.isEmpty()) {
            problems.add(Problem.required("spec.accessModes", "at least 1 access mode is required"));
        }
        List<String> named = Texts.list(modes);
        named.stream().filter(mode -> !MODES.contains(mode)).forEach(mode -> problems.add(
                Problem.unsupported("spec.accessModes", Problem.quoted(mode), MODES)));
        if (named.size() > 1 && named.contains("ReadWriteOncePod")) {
            problems.add(Problem.forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes"));
        }
    }

    /** A bound claim may ask for more, and for less again down to what it has; nothing else changes. */
    private static void changes(JsonNode spec, ObjectNode old, List<Problem> problems) {
        ObjectNode now = spec.deepCopy();
        ObjectNode then = old.withObjectProperty("spec").deepCopy();
        for (String free : List.of("volumeName", "storageClassName")) {
            // Binding and the default class fill these in later.
            if (then.path(free).asText("").isEmpty()) {
                now.remove(free);
                then.remove(free);
            }
        }
        boolean bound = old.at("/status/phase").asText().equals("Bound");
        if (bound) {
            now.withObjectProperty("resources").remove("requests");
            then.withObjectProperty("resources").remove("requests");
            now.remove("volumeAttributesClassName");
            then.remove("volumeAttributesClassName");
        }
        if (!now.equals(then)) {
            problems.add(Problem.forbidden("spec", "spec is immutable after creation except resources.requests and"
                    + " volumeAttributesClassName for bound claims"));
        }
        JsonNode asked = spec.at(STORAGE);
        JsonNode has = old.at("/status/capacity/storage");
        boolean less = bound && !asked.isMissingNode() && !has.isMissingNode() && amount(asked).getNumber()
                .compareTo(amount(old.at("/spec" + STORAGE)).getNumber().min(amount(has).getNumber())) < 0;
        if (less) {
            problems.add(Problem.forbidden("spec.resources.requests.storage",
                    "field can not be less than status.capacity"));
        }
    }

    /** The decoder has seen to it that it is one. */
    private static Quantity amount(JsonNode text) {
        return Quantity.fromString(text.asText());
    }
}
