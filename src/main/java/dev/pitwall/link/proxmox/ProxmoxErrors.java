package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Words;

import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an error answer of the Proxmox API means. The text is the body's {@code message} from late 8.3 on, and before
 * that only the reason phrase (facts 1.1, pve-http-server {@code AnyEvent.pm}).
 */
final class ProxmoxErrors {
    private static final Pattern PERMISSION = Pattern.compile("Permission check failed \\((/[^,]*), ([^)]+)\\)");
    private static final int MAX_TEXT = 300;

    private final Words words;
    private final Place place;
    private final ObjectMapper mapper = new ObjectMapper();

    ProxmoxErrors(Words words, Place place) {
        this.words = words;
        this.place = place;
    }

    /** @param where the place of the sentence: the API itself, or a node behind it */
    Trouble trouble(HttpAnswer answer, String where) {
        if (answer.redirect() || answer.page()) {
            return say(Kind.PROTOCOL, where, "proxmox.foreign", "said", status(answer));
        }
        String text = text(answer);
        return switch (answer.status()) {
            case 400 -> say(Kind.REMOTE, where, "proxmox.parameters", "said", text);
            case 401 -> say(Kind.CREDENTIALS, where, "proxmox.unauthorized", "said", text);
            case 403 -> forbidden(where, text);
            case 404, 501 -> say(Kind.PROTOCOL, where, "proxmox.unknowncall", "said", text);
            case 595 -> say(Kind.CONNECT, where, "proxmox.nodesilent", "said", text);
            case 596 -> text.contains("no such cluster node")
                    ? say(Kind.MISSING, where, "proxmox.nonode", "said", text)
                    : say(Kind.TIMEOUT, where, "proxmox.nodebroken", "said", text);
            case 597, 598, 599 -> say(Kind.TIMEOUT, where, "proxmox.nodebroken", "said", text);
            default -> say(Kind.REMOTE, where, "proxmox.error", "said", text);
        };
    }

    /** True if the call itself is not there: an older Proxmox. */
    static boolean unknownCall(HttpAnswer answer) {
        return answer.status() == 501 || answer.status() == 404;
    }

    /** Proxmox's own words, one line; the status where it has none. */
    String text(HttpAnswer answer) {
        JsonNode body = body(answer);
        String message = new Fields(body).text("message").orElse(answer.reason()).strip();
        StringJoiner all = new StringJoiner("; ");
        all.add(message.isEmpty() ? "HTTP " + answer.status() : message.lines().findFirst().orElse(""));
        body.path("errors").properties().forEach(e -> all.add(e.getKey() + ": " + e.getValue().asText().strip()));
        String text = all.toString();
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }

    private Trouble forbidden(String where, String text) {
        Matcher missing = PERMISSION.matcher(text);
        return missing.find()
                ? say(Kind.RIGHTS, where, "proxmox.missingright", "path", missing.group(1), "right", missing.group(2))
                : say(Kind.RIGHTS, where, "proxmox.forbidden", "said", text);
    }

    private Trouble say(Kind kind, String where, String key, String... values) {
        return words.troubleBehind(kind, place, where, key, values);
    }

    private static String status(HttpAnswer answer) {
        return (answer.status() + " " + answer.reason()).strip();
    }

    private JsonNode body(HttpAnswer answer) {
        try {
            JsonNode body = mapper.readTree(answer.body());
            return body == null ? MissingNode.getInstance() : body;
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }
}
