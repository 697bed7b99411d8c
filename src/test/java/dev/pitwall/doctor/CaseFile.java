package dev.pitwall.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign.About;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A public report with an established cause: {@code id}, {@code source}, {@code evidence} (list of {@code kind},
 * {@code from}, {@code text}), {@code expected_trap}, {@code basis}, and {@code control: negative} for one that is no fault.
 */
record CaseFile(String id, String source, String expected, String basis, boolean control, List<Document> documents) {

    static CaseFile read(Path file) {
        try {
            JsonNode tree = new YAMLMapper().readTree(Files.readString(file));
            List<Document> documents = new ArrayList<>();
            for (JsonNode item : tree.path("evidence")) {
                String kind = item.path("kind").asText();
                // What arrives is a file name, in which other characters have become underscores.
                String name = "%02d--%s--%s.txt".formatted(documents.size() + 1, kind,
                        item.path("from").asText().replaceAll("[^A-Za-z0-9._-]", "_"));
                documents.add(Document.text(name, Hint.named(kind), About.NOTHING, item.path("text").asText()));
            }
            return new CaseFile(tree.path("id").asText(), tree.path("source").asText(),
                    tree.path("expected_trap").asText(), tree.path("basis").asText(),
                    tree.path("control").asText().equals("negative"), documents);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The cases of a folder, by name. */
    static List<CaseFile> all(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".yaml")).sorted().map(CaseFile::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Evidence evidence() {
        return taker -> {
            for (Document document : documents) {
                taker.take(document);
            }
        };
    }
}
