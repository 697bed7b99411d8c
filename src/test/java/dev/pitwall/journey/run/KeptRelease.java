package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Helm's own record of a release: what a killed Helm leaves is written into it. */
final class KeptRelease {
    private static final ObjectMapper JSON = new ObjectMapper();

    private KeptRelease() {
    }

    static ObjectNode read(JsonNode secret) throws IOException {
        byte[] packed = Base64.getDecoder().decode(Base64.getDecoder().decode(secret.at("/data/release").asText()));
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return (ObjectNode) JSON.readTree(in.readAllBytes());
        }
    }

    /** As a value of a Secret. */
    static String packed(ObjectNode record) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(JSON.writeValueAsBytes(record));
        }
        return Base64.getEncoder().encodeToString(Base64.getEncoder().encode(packed.toByteArray()));
    }
}
