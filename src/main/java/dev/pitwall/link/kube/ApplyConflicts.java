package dev.pitwall.link.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.Cluster.Claim;
import dev.pitwall.journey.FieldManager.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an API server says of an applied configuration that wants fields of others: one cause a field (kubernetes:
 * apimachinery, managedfields/internal/conflict.go).
 */
final class ApplyConflicts {
    private static final String REASON = "FieldManagerConflict";
    /** One that updates is named with the version that it spoke, one that applies is not. */
    private static final Pattern MANAGER =
            Pattern.compile("conflict with \"([^\"]+)\"(?: with subresource \"([^\"]+)\")?( using .*)?");

    private ApplyConflicts() {
    }

    static List<Claim> of(JsonNode status) {
        List<Claim> claims = new ArrayList<>();
        for (JsonNode cause : status.at("/details/causes")) {
            Matcher manager = MANAGER.matcher(cause.path("message").asText());
            if (cause.path("reason").asText().equals(REASON) && manager.find()) {
                claims.add(new Claim(manager.group(1), manager.group(3) == null ? Operation.APPLY : Operation.UPDATE,
                        cause.path("field").asText().replaceFirst("^\\.", "")));
            }
        }
        return claims;
    }

    /** The fields that are to have a value: an applied configuration cannot say that one of others is to go. */
    static ObjectNode said(JsonNode fields) {
        ObjectNode said = JsonNodeFactory.instance.objectNode();
        fields.properties().forEach(field -> {
            if (field.getValue().isObject() && !field.getValue().isEmpty()) {
                ObjectNode below = said(field.getValue());
                if (!below.isEmpty()) {
                    said.set(field.getKey(), below);
                }
            } else if (!field.getValue().isNull()) {
                said.set(field.getKey(), field.getValue().deepCopy());
            }
        });
        return said;
    }
}
