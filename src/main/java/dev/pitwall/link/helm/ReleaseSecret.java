package dev.pitwall.link.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * One revision of a release as Helm keeps it in a Secret: JSON, gzipped, in base64, and in base64 once more as every
 * value of a Secret (facts: cluster.md 8). It holds what a person has given to the chart, and is never written down.
 */
final class ReleaseSecret {
    static final String ALL = "owner=helm";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int GZIP = 0x1f;
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final List<ObjectType> OF_HOOKS = List.of(ObjectType.namespaced("batch", "v1", "jobs", "Job"),
            ObjectType.POD, ObjectType.CONFIG_MAP, ObjectType.SECRET,
            ObjectType.namespaced("", "v1", "serviceaccounts", "ServiceAccount"),
            ObjectType.namespaced(RBAC, "v1", "roles", "Role"),
            ObjectType.namespaced(RBAC, "v1", "rolebindings", "RoleBinding"),
            new ObjectType(RBAC, "v1", "clusterroles", "ClusterRole", ObjectType.Scope.CLUSTER),
            new ObjectType(RBAC, "v1", "clusterrolebindings", "ClusterRoleBinding", ObjectType.Scope.CLUSTER));

    private final ObjectNode record;

    private ReleaseSecret(ObjectNode record) {
        this.record = record;
    }

    /** Where a revision lies. */
    static ObjectRef at(String namespace, String release, int revision) {
        return new ObjectRef(ObjectType.SECRET, namespace, "sh.helm.release.v1." + release + ".v" + revision);
    }

    /** @throws IOException if it is not a release */
    static ReleaseSecret of(JsonNode secret) throws IOException {
        try {
            byte[] inner = Base64.getDecoder().decode(secret.at("/data/release").asText());
            byte[] packed = Base64.getDecoder().decode(inner);
            JsonNode record = JSON.readTree(packed.length > 0 && packed[0] == GZIP ? unzipped(packed) : packed);
            if (record instanceof ObjectNode object) {
                return new ReleaseSecret(object);
            }
            throw new IOException("not a release");
        } catch (IllegalArgumentException notBase64) {
            throw new IOException("not a release", notBase64);
        }
    }

    private static byte[] unzipped(byte[] packed) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return in.readAllBytes();
        }
    }

    Release release() {
        JsonNode chart = record.at("/chart/metadata");
        return new Release(record.path("namespace").asText(), record.path("name").asText(), record.path("version").asInt(),
                record.at("/info/status").asText("unknown"), chart.path("name").asText(), chart.path("version").asText(),
                chart.path("appVersion").asText(""), time(record.at("/info/last_deployed").asText("")));
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException none) {
            return Instant.EPOCH;
        }
    }

    /** What a person has given. */
    JsonNode values() {
        JsonNode config = record.path("config");
        return config.isObject() ? config : JsonNodeFactory.instance.objectNode();
    }

    /** What Helm makes beside the chart's objects, and does not always remove: Jobs that it waits for and what those need. */
    List<ObjectRef> hooks() throws IOException {
        List<ObjectRef> hooks = new ArrayList<>();
        String own = record.path("namespace").asText();
        for (JsonNode hook : record.path("hooks")) {
            for (JsonNode object : ChartReader.documents(hook.path("manifest").asText().getBytes(StandardCharsets.UTF_8))) {
                for (ObjectType type : OF_HOOKS) {
                    if (type.kind().equals(object.path("kind").asText())) {
                        hooks.add(new ObjectRef(type, type.scope() == ObjectType.Scope.CLUSTER ? ""
                                : object.at("/metadata/namespace").asText(own), object.at("/metadata/name").asText()));
                    }
                }
            }
        }
        return hooks;
    }

    /** The Secret of this record under another status, or as another revision. */
    JsonNode as(int revision, String status) {
        ObjectNode changed = record.deepCopy();
        changed.put("version", revision).withObjectProperty("info").put("status", status).put("deleted", "");
        ObjectNode secret = JsonNodeFactory.instance.objectNode().put("type", "helm.sh/release.v1");
        secret.putObject("metadata").putObject("labels").put("owner", "helm").put("name", record.path("name").asText())
                .put("version", Integer.toString(revision)).put("status", status);
        byte[] inner = Base64.getEncoder().encode(zipped(changed.toString().getBytes(StandardCharsets.UTF_8)));
        secret.putObject("data").put("release", Base64.getEncoder().encodeToString(inner));
        return secret;
    }

    private static byte[] zipped(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
