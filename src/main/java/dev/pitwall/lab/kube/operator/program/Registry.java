package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/** NVIDIA's images as they were published: {@code lab/kube/operator/registry.yaml}. */
final class Registry {
    private final JsonNode data;

    /** @param holds what is in it */
    record Image(String repository, String holds) {
    }

    private Registry(JsonNode data) {
        this.data = data;
    }

    static Registry load() {
        try (InputStream in = Registry.class.getResourceAsStream("/lab/kube/operator/registry.yaml")) {
            return new Registry(new YAMLMapper().readTree(in));
        } catch (IOException e) {
            throw new UncheckedIOException("lab/kube/operator/registry.yaml cannot be read", e);
        }
    }

    /** Empty if there is no such image, or none with this tag. */
    Optional<Image> find(String image) {
        ImageName name = new ImageName(image);
        for (JsonNode entry : data.path("images")) {
            if (name.repository().equals(entry.path("repository").asText())) {
                boolean published = name.tag().matches(entry.path("tags").asText());
                return published ? Optional.of(new Image(name.repository(), entry.path("holds").asText()))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** True if the program {@code nvidia-validator} is in the image. */
    boolean hasValidator(String image) {
        ImageName name = new ImageName(image);
        return name.repository().endsWith("-validator") || name.tag().matches(data.path("validatorIn").asText());
    }
}
