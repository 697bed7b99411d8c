package dev.pitwall.link.talos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.ClientIdentity;
import dev.pitwall.site.TalosAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One context of a talosconfig.
 *
 * @param endpoints that are dialled, {@code HOST} or {@code HOST:PORT}
 * @param nodes     that commands are for where nothing else is said
 * @param authority of the cluster's machine API
 */
record Talosconfig(String context, List<String> endpoints, List<String> nodes, List<X509Certificate> authority,
                   ClientIdentity identity) {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM yyyy", Locale.ENGLISH);
    /** Talos's own label of what is plain PKCS#8 (facts: cluster.md 4.5). */
    private static final String OWN_LABEL = "ED25519 PRIVATE KEY";

    Talosconfig {
        endpoints = List.copyOf(endpoints);
        nodes = List.copyOf(nodes);
        authority = List.copyOf(authority);
    }

    /**
     * @throws TroubleException if the file or the context cannot be used, or the certificate has expired: nothing is
     *                          dialled then
     */
    static Talosconfig read(TalosAccess access, Instant now) throws TroubleException {
        Path file = access.talosconfig();
        JsonNode root = tree(file);
        String name = access.context().filter(c -> !c.isEmpty()).orElse(root.path("context").asText());
        JsonNode context = root.path("contexts").path(name);
        if (!context.isObject()) {
            String known = String.join(", ", names(root.path("contexts")));
            throw trouble(Kind.MISSING, file.toString(), "it has no context \"" + name + "\"", known.isEmpty()
                    ? "Fetch a talosconfig of the cluster." : "Name one of its contexts: " + known + ".");
        }
        String where = file + ", context " + name;
        List<String> endpoints = texts(context.path("endpoints"));
        if (endpoints.isEmpty()) {
            throw trouble(Kind.MISSING, where, "it names no endpoint",
                    "Run \"talosctl config endpoint ADDRESS…\" with the addresses of the control-plane nodes.");
        }
        ClientIdentity identity = ClientIdentity.of(bytes(context, "crt", where), key(context, where), where);
        if (identity.validUntil().isBefore(now)) {
            throw trouble(Kind.CREDENTIALS, where, "its client certificate has expired on "
                            + DAY.format(identity.validUntil().atZone(ZoneId.systemDefault())),
                    "Make a new one with \"talosctl config new\" from one that still works, or \"talosctl gen config"
                            + " --with-secrets\" from the cluster's secrets.");
        }
        return new Talosconfig(name, endpoints, texts(context.path("nodes")),
                ClientIdentity.certificates(bytes(context, "ca", where), "certificate authority", where), identity);
    }

    private static JsonNode tree(Path file) throws TroubleException {
        try {
            return YAML.readTree(Files.readAllBytes(file));
        } catch (JsonProcessingException e) {
            // Its text may quote the key.
            throw trouble(Kind.UNREADABLE, file.toString(), "it is not readable as YAML",
                    "Fetch the talosconfig again.");
        } catch (IOException e) {
            boolean missing = Files.notExists(file);
            throw trouble(missing ? Kind.MISSING : Kind.UNREADABLE, file.toString(),
                    missing ? "there is no such talosconfig" : "the talosconfig cannot be read",
                    missing ? "Check the path in the site." : "Name a file that your user may read.");
        }
    }

    private static byte[] key(JsonNode context, String where) throws TroubleException {
        return new String(bytes(context, "key", where), StandardCharsets.US_ASCII).replace(OWN_LABEL, "PRIVATE KEY")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] bytes(JsonNode context, String field, String where) throws TroubleException {
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(context.path(field).asText());
            if (bytes.length > 0) {
                return bytes;
            }
        } catch (IllegalArgumentException garbled) {
            // The same as none.
        }
        throw trouble(Kind.UNREADABLE, where, "\"" + field + "\" is missing or not base64", "Fetch the talosconfig again.");
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).filter(text -> !text.isBlank()).toList();
    }

    private static List<String> names(JsonNode object) {
        return new ArrayList<>(object.propertyStream().map(Map.Entry::getKey).sorted().toList());
    }

    private static TroubleException trouble(Kind kind, String where, String what, String next) {
        return new TroubleException(new Trouble(kind, where, what, next));
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "Talosconfig[" + context + ", " + Optional.of(endpoints) + "]";
    }
}
