package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Reads the Secret in which Helm keeps a release: {@code data.release} is base64 of base64 of gzip of JSON (source:
 * helm/helm pkg/storage/driver, v3.21 and v4.2).
 */
public final class HelmReleaseReader {

    /** A Secret holds 1 MiB at most; this bounds what it may unpack to. */
    private static final int MOST_BYTES = 64 << 20;

    private final ObjectMapper json = new ObjectMapper();

    boolean recognises(JsonNode object) {
        return object.path("kind").asText().equals("Secret") && object.path("type").asText().equals("helm.sh/release.v1");
    }

    /** Reads what the labels say, and the release itself where it can be unpacked; else a note says why not. */
    public HelmRelease read(JsonNode secret) {
        return read(secret, new Notes());
    }

    HelmRelease read(JsonNode secret, Notes notes) {
        JsonNode labels = secret.path("metadata").path("labels");
        JsonNode release = com.fasterxml.jackson.databind.node.MissingNode.getInstance();
        try {
            release = decode(secret.path("data").path("release").asText());
        } catch (TroubleException e) {
            notes.add(e.trouble().what());
        }
        JsonNode info = release.path("info");
        JsonNode chart = release.path("chart").path("metadata");
        return new HelmRelease(Json.text(release, "name").or(() -> Json.text(labels, "name")),
                Json.text(release, "namespace").or(() -> Json.text(secret.path("metadata"), "namespace")),
                revision(release, labels), Json.text(info, "status").or(() -> Json.text(labels, "status")),
                Json.text(chart, "name"), Json.text(chart, "version"), Json.text(chart, "appVersion"),
                Json.instant(info, "last_deployed"), Json.text(info, "description"), settings(release.path("config")),
                notes.list());
    }

    private static java.util.OptionalInt revision(JsonNode release, JsonNode labels) {
        java.util.OptionalInt revision = Json.integer(release, "version");
        return revision.isPresent() ? revision
                : Json.text(labels, "version").map(Numbers::integer).orElse(java.util.OptionalInt.empty());
    }

    private static Map<String, String> settings(JsonNode config) {
        Map<String, String> settings = new LinkedHashMap<>();
        HelmValuesReader.flatten("", config, settings);
        return settings;
    }

    /**
     * @param data the Secret's {@code data.release} as the API returns it; a client library may already have taken off
     *             the outer base64
     */
    public JsonNode decode(String data) throws TroubleException {
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(data);
            if (!isGzip(bytes) && bytes.length > 0 && bytes[0] != '{') {
                bytes = Base64.getMimeDecoder().decode(bytes);
            }
            return json.readTree(isGzip(bytes) ? unzip(bytes) : bytes);
        } catch (IOException | IllegalArgumentException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, "data.release",
                    "the release in the Secret cannot be unpacked; only its labels were read",
                    "Get the whole Secret with \"kubectl get secret -o json\"."), e);
        }
    }

    private static boolean isGzip(byte[] bytes) {
        return bytes.length > 2 && (bytes[0] & 0xff) == 0x1f && (bytes[1] & 0xff) == 0x8b;
    }

    private static byte[] unzip(byte[] bytes) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] all = in.readNBytes(MOST_BYTES + 1);
            if (all.length > MOST_BYTES) {
                throw new IOException("larger than " + MOST_BYTES + " bytes when unpacked");
            }
            return all;
        }
    }
}
