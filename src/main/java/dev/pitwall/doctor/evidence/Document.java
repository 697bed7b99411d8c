package dev.pitwall.doctor.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * One piece of evidence: an output, a log, a file, or objects that an API gave.
 *
 * @param name  how a person can find it again: a file, or the command or call that printed it
 * @param about what all of it is about, as far as known
 */
public record Document(String name, Hint hint, About about, Body body) {

    /** What a document holds. */
    public sealed interface Body {
    }

    /** Bytes of any form and size; they are read once, from the beginning to the end. */
    @FunctionalInterface
    public interface Bytes {
        InputStream open() throws IOException;
    }

    public record Stream(Bytes bytes) implements Body {
    }

    /** Kubernetes objects as an API server gave them, each with its {@code kind}. */
    public record KubeList(List<JsonNode> objects) implements Body {
        public KubeList {
            objects = List.copyOf(objects);
        }
    }

    /** Signs that are no text: what others who look at the same systems have already judged. */
    public record Told(List<Sign> signs) implements Body {
        public Told {
            signs = List.copyOf(signs);
        }
    }

    public Document {
        Objects.requireNonNull(name);
        Objects.requireNonNull(hint);
        Objects.requireNonNull(about);
        Objects.requireNonNull(body);
    }

    /** A text that is held already. */
    public static Document text(String name, Hint hint, About about, String text) {
        return new Document(name, hint, about,
                new Stream(() -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
    }

    /** Objects of a cluster. */
    public static Document objects(String name, List<JsonNode> objects) {
        return new Document(name, Hint.UNKNOWN, About.NOTHING, new KubeList(objects));
    }
}
