package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * {@code journey/proof.yaml}: what the proof of a card and its model server are made of. Times are seconds.
 *
 * @param passed     what the image prints when all is well
 * @param deadline   of the pod itself
 * @param limit      how long the pod may take altogether
 * @param pauseLimit the same where something has to be stopped first
 * @param namespaces in which the pod is tried first
 */
record ProofData(String image, String passed, Container container, int deadline, long usual, long limit,
                 long pauseLimit, List<String> namespaces, Server server, List<Model> models) {
    private static final String FILE = "/journey/proof.yaml";

    /** Requests and limits of a proof's container beside its card. */
    record Container(String cpu, String memory, String cpuLimit, String memoryLimit) {
    }

    /**
     * @param storage  for models
     * @param fits     the share of a card's memory that a model may need
     * @param download bytes a second
     */
    record Server(String namespace, String chart, String version, String image, int port, String storage, String cpu,
                  String memory, long usual, long limit, long startUsual, long startLimit, long pullLimit,
                  long askUsual, long askLimit, double fits, long download) {
    }

    /**
     * @param disk    bytes of its file
     * @param context bytes of the keys and values of 4096 tokens
     */
    record Model(String name, long disk, long context, String source) {
        long needBytes() {
            return disk + context;
        }
    }

    static ProofData load() {
        try (InputStream in = Objects.requireNonNull(ProofData.class.getResourceAsStream(FILE), FILE)) {
            return new YAMLMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(in, ProofData.class);
        } catch (IOException e) {
            throw new UncheckedIOException(FILE + " cannot be read", e);
        }
    }

    static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }
}
