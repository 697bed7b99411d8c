package dev.pitwall.lab.helm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * The Secret in which Helm keeps a release: {@code data.release} is base64 of base64 of gzip of JSON. [facts: cluster.md
 * 8; helm/helm pkg/storage/driver]
 *
 * @param values   what the user gave
 * @param manifest what the chart rendered to, without its hooks
 */
public record ReleaseSecret(String release, String namespace, Chart chart, ObjectNode values, String manifest,
                            List<Hook> hooks) {

    /** The first revision, deployed at a moment. */
    public ObjectNode installed(Instant at) {
        ObjectNode secret = Json.object().put("apiVersion", "v1").put("kind", "Secret");
        ObjectNode metadata = secret.putObject("metadata").put("name", "sh.helm.release.v1." + release + ".v1")
                .put("namespace", namespace);
        metadata.putObject("labels").put("modifiedAt", Long.toString(at.getEpochSecond())).put("name", release)
                .put("owner", "helm").put("status", "deployed").put("version", "1");
        secret.put("type", "helm.sh/release.v1");
        byte[] inner = Base64.getEncoder().encode(gzip(Json.bytes(record(at))));
        secret.putObject("data").put("release", Base64.getEncoder().encodeToString(inner));
        return secret;
    }

    private ObjectNode record(Instant at) {
        ObjectNode root = Json.object().put("name", release);
        root.putObject("info").put("first_deployed", at.toString()).put("last_deployed", at.toString())
                .put("deleted", "").put("description", "Install complete").put("status", "deployed");
        chart(root.putObject("chart"));
        root.set("config", values);
        ArrayNode entries = root.putArray("hooks");
        hooks.forEach(hook -> entries.add(hook.entry()));
        root.put("manifest", manifest).put("version", 1).put("namespace", namespace);
        return root;
    }

    /** As Helm keeps a chart: of its subcharts, only their defaults are part of it. */
    private void chart(ObjectNode node) {
        ObjectNode metadata = chart.metadata();
        metadata.path("dependencies").forEach(dependency -> ((ObjectNode) dependency).put("enabled", true));
        node.set("metadata", metadata);
        node.putNull("lock");
        ArrayNode templates = node.putArray("templates");
        node.set("values", chart.allValues());
        node.putNull("schema");
        ArrayNode files = node.putArray("files");
        chart.files().forEach((path, content) -> {
            boolean own = !path.startsWith("charts/") && !path.equals("Chart.yaml") && !path.equals("values.yaml");
            if (own) {
                ArrayNode list = path.startsWith("templates/") ? templates : files;
                list.addObject().put("name", path).put("data", Base64.getEncoder().encodeToString(content));
            }
        });
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
