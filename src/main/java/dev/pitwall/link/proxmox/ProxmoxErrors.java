package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.proxmox.KnownTexts.Severity;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Words;

import java.util.Optional;
import java.util.StringJoiner;

/**
 * What an error answer of the Proxmox API means. The text is the body's {@code message} from late 8.3 on, and before
 * that only the reason phrase (facts 1.1, pve-http-server {@code AnyEvent.pm}).
 */
final class ProxmoxErrors {
    private static final int MAX_TEXT = 300;

    private final Words words;
    private final Place place;
    private final ObjectMapper mapper = new ObjectMapper();
    private final KnownTexts known = new KnownTexts();

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
        return explain(text, where).orElseGet(() -> byStatus(answer.status(), text, where));
    }

    /** The sentence of a text that is understood and bad. */
    Optional<Trouble> explain(String text, String where) {
        return known.find(text).filter(found -> found.severity() != Severity.BENIGN)
                .map(found -> say(found.kind(), where, found.key(), found.values().toArray(String[]::new)));
    }

    /** True for an answer that says that the thing asked for does not exist, for which Proxmox has no status. */
    boolean noSuchThing(HttpAnswer answer) {
        return !answer.ok() && answer.status() <= 500
                && known.find(text(answer)).filter(found -> found.kind() == Kind.MISSING).isPresent();
    }

    private Trouble byStatus(int status, String text, String where) {
        return switch (status) {
            case 400 -> say(Kind.REMOTE, where, "proxmox.parameters", "said", text);
            case 401 -> say(Kind.CREDENTIALS, where, "proxmox.unauthorized", "said", text);
            case 403 -> say(Kind.RIGHTS, where, "proxmox.forbidden", "said", text);
            case 404, 501 -> say(Kind.PROTOCOL, where, "proxmox.unknowncall", "said", text);
            case 595 -> say(Kind.CONNECT, where, "proxmox.nodesilent", "said", text);
            case 596, 597, 598, 599 -> say(Kind.TIMEOUT, where, "proxmox.nodebroken", "said", text);
            default -> say(Kind.REMOTE, where, "proxmox.error", "said", text);
        };
    }

    /** True if the call itself is not there: an older Proxmox. */
    static boolean unknownCall(HttpAnswer answer) {
        return answer.status() == 501 || answer.status() == 404;
    }

    /** Proxmox's own words in one line; the status where it has none. */
    String text(HttpAnswer answer) {
        JsonNode body = body(answer);
        String message = oneLine(new Fields(body).text("message").orElse(answer.reason()).lines().findFirst().orElse(""));
        StringJoiner wrong = new StringJoiner("; ", ": ", "").setEmptyValue("");
        body.path("errors").properties().forEach(e -> wrong.add(e.getKey() + ": " + oneLine(e.getValue().asText())));
        String said = wrong.length() == 0 ? message : message.replaceFirst("\\.$", "");
        String text = (said.isEmpty() ? "HTTP " + answer.status() : said) + wrong;
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
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
