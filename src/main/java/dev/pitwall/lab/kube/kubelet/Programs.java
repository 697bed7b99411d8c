package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** Knows what runs in which container. */
@FunctionalInterface
public interface Programs {

    /**
     * @param image     as the container names it
     * @param pod       the pod, without {@code apiVersion} and {@code kind}
     * @param container the container of its spec
     * @return empty if no registry of the lab has such an image: it cannot be pulled
     */
    Optional<Program> find(String image, JsonNode pod, JsonNode container);

    /** Asks this first, then the other. */
    default Programs or(Programs other) {
        return (image, pod, container) -> find(image, pod, container).or(() -> other.find(image, pod, container));
    }
}
