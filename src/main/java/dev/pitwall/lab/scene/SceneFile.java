package dev.pitwall.lab.scene;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.pitwall.lab.data.DataFile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads scenes from YAML. */
public final class SceneFile {
    private static final String FOLDER = "/lab/scenes/";
    private static final Map<String, String> PARTS = Map.of("boards", "scenes/boards.yaml", "cardKinds", "scenes/cards.yaml");

    private final ObjectMapper yaml = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .addModule(new JavaTimeModule())
            .build();

    /**
     * A scene that comes with Pitwall.
     *
     * @throws SceneException if there is none of that name
     */
    public Scene bundled(String name) throws SceneException {
        String file = name + ".yaml";
        try (InputStream in = name.matches("[a-z0-9-]+") ? SceneFile.class.getResourceAsStream(FOLDER + file) : null) {
            if (in == null) {
                throw new SceneException("scene " + name, "this version has no such scene");
            }
            return parse(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new SceneException(file, "cannot be read");
        }
    }

    /**
     * Reads and checks a scene.
     *
     * @param place name of the file, for messages
     */
    public Scene parse(String place, String text) throws SceneException {
        Scene scene;
        try {
            scene = yaml.treeToValue(withParts(yaml.readTree(text)), Scene.class);
        } catch (JsonMappingException e) {
            // Jackson's line is that of what it had read ahead; the path is exact.
            throw new SceneException(place + " " + path(e), sentence(e));
        } catch (JsonProcessingException e) {
            throw new SceneException(place + at(e.getLocation()), "not valid YAML");
        }
        if (scene == null) {
            throw new SceneException(place, "the file is empty");
        }
        new SceneCheck(place).check(scene);
        return scene;
    }

    /** Boards and cards that scenes share; a scene's own of the same name wins. */
    private JsonNode withParts(JsonNode scene) {
        if (scene instanceof ObjectNode object) {
            PARTS.forEach((key, file) -> {
                ObjectNode all = yaml.createObjectNode();
                all.setAll((ObjectNode) DataFile.tree(file));
                if (object.path(key) instanceof ObjectNode own) {
                    all.setAll(own);
                }
                object.set(key, all);
            });
        }
        return scene;
    }

    private static String at(JsonLocation location) {
        return location == null ? "" : " line " + location.getLineNr() + " column " + location.getColumnNr();
    }

    private static String sentence(JsonMappingException error) {
        return switch (error) {
            case UnrecognizedPropertyException unknown -> "there is no such key; possible are "
                    + unknown.getKnownPropertyIds().stream().map(String::valueOf).sorted()
                    .collect(Collectors.joining(", "));
            default -> "the value is not of the expected form";
        };
    }

    private static String path(JsonMappingException error) {
        return error.getPath().stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                .collect(Collectors.joining()).replaceFirst("^\\.", "");
    }
}
