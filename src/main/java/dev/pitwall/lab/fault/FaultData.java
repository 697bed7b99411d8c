package dev.pitwall.lab.fault;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A fault as {@code lab/faults.yaml} has it; the words are explained there.
 *
 * @param lead how long before the lab's present it was there, if it is there from the start
 */
record FaultData(String trap, String on, String summary, List<String> needs, JsonNode world, JsonNode edits,
                 JsonNode later, Set<String> restart, Repair repair, String ends, Duration lead) {
    /** So long all that a fault leads to has mostly come about: back-offs have grown, probes have failed. */
    private static final Duration USUAL_LEAD = Duration.ofMinutes(12);

    FaultData {
        needs = needs == null ? List.of() : List.copyOf(needs);
        world = present(world);
        edits = present(edits);
        later = present(later);
        restart = restart == null ? Set.of() : Set.copyOf(restart);
        repair = repair == null ? new Repair(null, null, false) : repair;
        ends = ends == null ? "" : ends;
        lead = lead == null ? USUAL_LEAD : lead;
    }

    /** What a repair needs beyond taking back what was changed. @param refused pods that the kubelet refused are to go */
    record Repair(JsonNode edits, Set<String> restart, boolean refused) {
        Repair {
            edits = present(edits);
            restart = restart == null ? Set.of() : Set.copyOf(restart);
        }
    }

    private static JsonNode present(JsonNode node) {
        return node == null ? MissingNode.getInstance() : node;
    }

    static List<FaultData> all() {
        try (InputStream in = FaultData.class.getResourceAsStream("/lab/faults.yaml")) {
            return YAMLMapper.builder().addModule(new JavaTimeModule())
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build()
                    .readValue(in, new TypeReference<>() { });
        } catch (IOException e) {
            throw new UncheckedIOException("lab/faults.yaml cannot be read", e);
        }
    }
}
