package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The sample texts of the tests; where they come from stands in the .source file beside them. */
final class Samples {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Samples() {
    }

    static String text(String name) {
        try (InputStream in = Samples.class.getResourceAsStream("/read/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(String name) {
        return parse(text(name));
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Names of the samples in a folder, without the .source files. */
    static List<String> in(String folder) {
        try (Stream<Path> files = Files.list(Path.of(Samples.class.getResource("/read/" + folder).toURI()))) {
            return files.map(f -> folder + "/" + f.getFileName()).filter(f -> !f.endsWith(".source")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Texts of a Proxmox host by id. */
    static String host(String id) {
        for (JsonNode sample : json("host-samples.json").path("samples")) {
            if (sample.path("id").asText().equals(id)) {
                return sample.path("text").asText();
            }
        }
        throw new IllegalArgumentException("no host sample " + id);
    }

    static List<String> hostIds() {
        List<String> ids = new ArrayList<>();
        json("host-samples.json").path("samples").forEach(s -> ids.add(s.path("id").asText()));
        return ids;
    }

    /** Every sample text that is read as it stands. */
    static List<String> all() {
        List<String> texts = new ArrayList<>();
        for (String folder : List.of("raw", "nvidia-smi", "dcgm", "models", "cluster")) {
            in(folder).stream().filter(n -> !n.endsWith("generate-load-unload.json")).map(Samples::text).forEach(texts::add);
        }
        hostIds().stream().map(Samples::host).forEach(texts::add);
        return texts;
    }

    static ObjectNode read(String text, Text.Ending ending) {
        return switch (new Recognizer().recognise(Text.of(text, ending))) {
            case Recognizer.Recognised r -> new ReadJson().write("sample", r, List.of());
            case Recognizer.NotRecognised n -> throw new AssertionError("not recognised: " + n.firstLine());
        };
    }

    /** The document of a sample that is complete, whether or not its last line has an end. */
    static ObjectNode read(String text) {
        return read(text, Text.Ending.WHOLE);
    }
}
