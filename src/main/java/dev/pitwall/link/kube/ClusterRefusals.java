package dev.pitwall.link.kube;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.link.trust.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an API server says when it refuses, in Pitwall's words: its {@code Status} objects tell apart the right that is
 * missing, the field that is wrong, and whoever else had a say (Kubernetes API conventions, "Response Status Kind").
 */
final class ClusterRefusals {
    private static final int MOST_SAID = 400;
    private static final Pattern NOT_ALLOWED = Pattern.compile("User \"([^\"]*)\" cannot ([a-z]+) resource \"([^\"]+)\"");
    private static final Pattern WEBHOOK = Pattern.compile(
            "admission webhook \"([^\"]+)\" denied the request(?: without explanation)?:?\\s*(.*)");
    private static final Pattern POLICY = Pattern.compile("ValidatingAdmissionPolicy '([^']+)'.* denied request: (.*)");
    private static final Pattern SILENT_WEBHOOK = Pattern.compile("failed calling webhook \"([^\"]+)\": (.*)");
    private static final Pattern MANAGER = Pattern.compile("conflict with \"([^\"]+)\"");
    private static final Pattern UNKNOWN_FIELD = Pattern.compile("(unknown|duplicate) field \"([^\"]+)\"");
    private static final Pattern STANDARD = Pattern.compile("violates PodSecurity \"([^\"]+)\": (.*)");
    private static final Pattern QUOTA = Pattern.compile("(?:exceeded|failed) quota: ([^,:]+)[,:] (.*)");
    private static final Pattern NO_NAMESPACE = Pattern.compile("^namespaces \"([^\"]+)\" not found");
    private static final Pattern TERMINATING = Pattern.compile("in namespace (\\S+) because it is being terminated");

    private final ApiServer server;
    private final Words words;

    ClusterRefusals(ApiServer server, Words words) {
        this.server = server;
        this.words = words;
    }

    Trouble trouble(int code, JsonNode status, Asked asked) {
        String said = oneLine(status.path("message").asText(""));
        if (code == 401) {
            return server.refused();
        }
        if (status.isMissingNode()) {
            return text(Kind.PROTOCOL, server.where(), "kube.foreign", "code", Integer.toString(code));
        }
        return switch (code) {
            case 400, 422 -> badObject(status, said, asked);
            case 403 -> forbidden(said, asked);
            case 404 -> absent(status, said, asked);
            case 409 -> conflict(status, said, asked);
            case 429 -> text(Kind.BUSY, asked.where(), "kube.toomany", "said", said);
            default -> broken(code, said, asked);
        };
    }

    private Trouble forbidden(String said, Asked asked) {
        Matcher right = NOT_ALLOWED.matcher(said);
        if (right.find()) {
            String scope = asked.namespace().isEmpty() ? "" : " -n " + asked.namespace();
            return text(Kind.RIGHTS, asked.where(), "kube.right", "user", right.group(1), "verb", right.group(2),
                    "resource", right.group(3), "scope", scope);
        }
        Matcher terminating = TERMINATING.matcher(said);
        if (terminating.find()) {
            return text(Kind.BUSY, asked.where(), "kube.terminating", "namespace", terminating.group(1));
        }
        Matcher standard = STANDARD.matcher(said);
        if (standard.find()) {
            return text(Kind.REMOTE, asked.where(), "kube.podsecurity", "standard", standard.group(1), "said",
                    standard.group(2), "namespace", asked.namespace());
        }
        Matcher quota = QUOTA.matcher(said);
        if (quota.find()) {
            return text(Kind.REMOTE, asked.where(), "kube.quota", "quota", quota.group(1), "said", quota.group(2),
                    "namespace", asked.namespace());
        }
        return denied(said, asked, "kube.forbidden");
    }

    /** Whoever has a say in admission: a webhook such as Kyverno's, a policy, or a plugin of the API server. */
    private Trouble denied(String said, Asked asked, String otherwise) {
        Matcher webhook = WEBHOOK.matcher(said);
        if (webhook.find()) {
            return text(Kind.REMOTE, asked.where(), "kube.webhook", "webhook", webhook.group(1), "said",
                    webhook.group(2).isEmpty() ? "it gives no reason" : webhook.group(2));
        }
        Matcher policy = POLICY.matcher(said);
        if (policy.find()) {
            return text(Kind.REMOTE, asked.where(), "kube.policy", "policy", policy.group(1), "said", policy.group(2));
        }
        return text(Kind.REMOTE, asked.where(), otherwise, "said", reason(said));
    }

    /** Without the object at the beginning, which is the place already. */
    private static String reason(String said) {
        return said.replaceFirst("^\\S+ \"[^\"]*\" is (?:forbidden|invalid): ", "");
    }

    private Trouble badObject(JsonNode status, String said, Asked asked) {
        if (!said.contains("strict decoding error") && status.at("/details/causes").isEmpty()) {
            return denied(said, asked, "kube.badrequest");
        }
        List<String> fields = new ArrayList<>();
        UNKNOWN_FIELD.matcher(said).results().forEach(match -> fields.add(words.text(
                match.group(1).equals("unknown") ? "kube.field.unknown" : "kube.field.twice", "field", match.group(2))));
        for (JsonNode cause : status.at("/details/causes")) {
            String message = oneLine(cause.path("message").asText());
            // Of a patch it repeats the whole of it as the value of a field "patch".
            if (!message.contains("strict decoding error")) {
                fields.add(cause.path("field").asText("").isEmpty() ? message
                        : cause.path("field").asText() + ": " + message);
            }
        }
        if (POLICY.matcher(said).find()) {
            return denied(said, asked, "kube.badrequest");
        }
        return fields.isEmpty() ? text(Kind.REMOTE, asked.where(), "kube.badrequest", "said", reason(said))
                : text(Kind.REMOTE, asked.where(), "kube.fields", "fields", cut(String.join("; ", fields)));
    }

    /** Of what was asked for, its namespace may be missing, or the whole type. */
    private Trouble absent(JsonNode status, String said, Asked asked) {
        Matcher namespace = NO_NAMESPACE.matcher(said);
        if (namespace.find() && namespace.group(1).equals(asked.namespace())) {
            return text(Kind.MISSING, asked.where(), "kube.nonamespace", "namespace", namespace.group(1));
        }
        return text(Kind.MISSING, asked.where(), status.at("/details/name").asText("").isEmpty() ? "kube.notype"
                : "kube.noobject");
    }

    private Trouble conflict(JsonNode status, String said, Asked asked) {
        List<String> fields = new ArrayList<>();
        String manager = "";
        for (JsonNode cause : status.at("/details/causes")) {
            Matcher other = MANAGER.matcher(cause.path("message").asText());
            if (cause.path("reason").asText().equals("FieldManagerConflict") && other.find()) {
                manager = other.group(1);
                fields.add(cause.path("field").asText());
            }
        }
        if (!manager.isEmpty()) {
            return text(Kind.BUSY, asked.where(), "kube.manager", "manager", manager, "fields",
                    cut(String.join(", ", fields)));
        }
        return switch (status.path("reason").asText()) {
            case "AlreadyExists" -> text(Kind.BUSY, asked.where(), "kube.exists");
            default -> said.contains("modified") ? text(Kind.BUSY, asked.where(), "kube.changed")
                    : text(Kind.BUSY, asked.where(), "kube.conflict", "said", reason(said));
        };
    }

    private Trouble broken(int code, String said, Asked asked) {
        Matcher webhook = SILENT_WEBHOOK.matcher(said);
        if (webhook.find()) {
            return text(Kind.REMOTE, asked.where(), "kube.webhooksilent", "webhook", webhook.group(1), "said",
                    last(webhook.group(2)));
        }
        return text(Kind.REMOTE, asked.where(), "kube.broken", "verb", asked.verb(), "said",
                said.isEmpty() ? "HTTP " + code : said);
    }

    /** Of a chain of errors, as Go writes it, the one that began it. */
    private static String last(String chain) {
        return chain.substring(chain.lastIndexOf(": ") < 0 ? 0 : chain.lastIndexOf(": ") + 2);
    }

    private Trouble text(Kind kind, String where, String key, String... values) {
        return words.troubleBehind(kind, server.place(), where, key, values);
    }

    private static String oneLine(String message) {
        return cut(message.strip().replaceAll("\\s+", " "));
    }

    private static String cut(String text) {
        return text.length() > MOST_SAID ? text.substring(0, MOST_SAID) + "…" : text;
    }
}
