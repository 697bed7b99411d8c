package dev.pitwall.link.kube;

import static dev.pitwall.link.kube.SaidRefusals.oneLine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.link.trust.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an API server says when it refuses, in Pitwall's words: its {@code Status} objects tell apart the right that is
 * missing, the field that is wrong, and whoever else had a say (Kubernetes API conventions, "Response Status Kind").
 */
final class ClusterRefusals {
    private static final Pattern MANAGER = Pattern.compile("conflict with \"([^\"]+)\"");
    private static final Pattern UNKNOWN_FIELD = Pattern.compile("(unknown|duplicate) field \"([^\"]+)\"");
    private static final String STRICT = "strict decoding error";

    private final ApiServer server;
    private final Words words;

    ClusterRefusals(ApiServer server, Words words) {
        this.server = server;
        this.words = words;
    }

    Trouble trouble(int code, JsonNode status, Asked asked) {
        if (code == 401) {
            return server.refused();
        }
        if (status.isMissingNode()) {
            return text(Kind.PROTOCOL, server.where(), "kube.foreign", "code", Integer.toString(code));
        }
        String said = status.path("message").asText("");
        return new SaidRefusals(words, server.place(), asked.where(), asked.namespace()).of(said)
                .orElseGet(() -> byCode(code, status, oneLine(said), asked));
    }

    private Trouble byCode(int code, JsonNode status, String said, Asked asked) {
        return switch (code) {
            case 400, 422 -> badObject(status, said, asked);
            case 403 -> text(Kind.REMOTE, asked.where(), "kube.forbidden", "said", reason(said));
            case 404 -> text(Kind.MISSING, asked.where(), status.at("/details/name").asText("").isEmpty() ? "kube.notype"
                    : "kube.noobject");
            case 409 -> conflict(status, said, asked);
            case 429 -> text(Kind.BUSY, asked.where(), "kube.toomany", "said", said);
            default -> text(Kind.REMOTE, asked.where(), "kube.broken", "verb", asked.verb(), "said",
                    said.isEmpty() ? "HTTP " + code : said);
        };
    }

    /** Without the object at the beginning, which is the place already. */
    private static String reason(String said) {
        return said.replaceFirst("^\\S+ \"[^\"]*\" is (?:forbidden|invalid): ", "");
    }

    private Trouble badObject(JsonNode status, String said, Asked asked) {
        List<String> fields = new ArrayList<>();
        UNKNOWN_FIELD.matcher(said).results().forEach(match -> fields.add(words.text(
                match.group(1).equals("unknown") ? "kube.field.unknown" : "kube.field.twice", "field", match.group(2))));
        for (JsonNode cause : status.at("/details/causes")) {
            String message = oneLine(cause.path("message").asText());
            // Of a patch it repeats the whole of it as the value of a field "patch".
            if (!message.contains(STRICT)) {
                fields.add(cause.path("field").asText("").isEmpty() ? message
                        : cause.path("field").asText() + ": " + message);
            }
        }
        return fields.isEmpty() ? text(Kind.REMOTE, asked.where(), "kube.badrequest", "said", reason(said))
                : text(Kind.REMOTE, asked.where(), "kube.fields", "fields", oneLine(String.join("; ", fields)));
    }

    private Trouble conflict(JsonNode status, String said, Asked asked) {
        Optional<Trouble> managed = managed(status, asked);
        if (managed.isPresent()) {
            return managed.get();
        }
        return switch (status.path("reason").asText()) {
            case "AlreadyExists" -> text(Kind.BUSY, asked.where(), "kube.exists");
            default -> said.contains("modified") ? text(Kind.BUSY, asked.where(), "kube.changed")
                    : text(Kind.BUSY, asked.where(), "kube.conflict", "said", reason(said));
        };
    }

    private Optional<Trouble> managed(JsonNode status, Asked asked) {
        List<String> fields = new ArrayList<>();
        String manager = "";
        for (JsonNode cause : status.at("/details/causes")) {
            Matcher other = MANAGER.matcher(cause.path("message").asText());
            if (cause.path("reason").asText().equals("FieldManagerConflict") && other.find()) {
                manager = other.group(1);
                fields.add(cause.path("field").asText());
            }
        }
        return manager.isEmpty() ? Optional.empty() : Optional.of(text(Kind.BUSY, asked.where(), "kube.manager", "manager",
                manager, "fields", oneLine(String.join(", ", fields))));
    }

    private Trouble text(Kind kind, String where, String key, String... values) {
        return words.troubleBehind(kind, server.place(), where, key, values);
    }
}
