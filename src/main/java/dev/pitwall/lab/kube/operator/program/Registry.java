package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.kubelet.ImageName;

import java.util.Optional;

/** What is in NVIDIA's images: {@code lab/kube/operator/registry.yaml}. */
final class Registry {
    private final JsonNode data;

    private Registry(JsonNode data) {
        this.data = data;
    }

    static Registry load() {
        return new Registry(DataFile.tree("kube/operator/registry.yaml"));
    }

    /** What is in an image; empty for one of somebody else. */
    Optional<String> holds(String image) {
        return Optional.of(data.path("images").path(ImageName.of(image).repository()).asText(""))
                .filter(holds -> !holds.isEmpty());
    }

    /** True if the program {@code nvidia-validator} is in the image. */
    boolean hasValidator(String image) {
        ImageName name = ImageName.of(image);
        return name.repository().endsWith("-validator") || name.tag().matches(data.path("validatorIn").asText());
    }
}
