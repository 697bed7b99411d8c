package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static dev.pitwall.journey.operator.PaperCluster.yaml;
import static org.assertj.core.api.Assertions.assertThat;

/** What looks like a trouble and is over, or is not about NVIDIA's cards at all. */
class PastAndForeignTest {
    private final SignBook book = new SignBook();
    private final Picture picture = new Picture();

    private void says(String sign, String from, long line, String text, Map<String, String> values) {
        book.add(new Sign(sign, new About("", "gpu-a", "", ""), values, Optional.of(new Cited(from, line, text))));
    }

    private void says(String sign, String from, long line, String text) {
        says(sign, from, line, text, Map.of());
    }

    private List<Sign> seen(Check check, String sign) {
        check.look(picture, book);
        return book.find(SignRef.of(sign));
    }

    @Test
    void troubleAboutAnotherMakersDeviceAloneIsForeign() {
        says("foreign-device", "events", 3, "0/4 nodes are available: 4 Insufficient amd.com/gpu");
        says("admission-error", "events", 4, "UnexpectedAdmissionError");

        assertThat(seen(new ForeignCheck(), "only-foreign-devices")).singleElement().satisfies(sign ->
                assertThat(sign.sides()).extracting(Excerpt::from).containsExactly("events"));
    }

    @Test
    void whereAnyLineOrValueNamesNvidiaNothingIsForeign() {
        says("foreign-device", "events", 3, "4 Insufficient amd.com/gpu");
        says("crashing", "pods", 1, "it crashes", Map.of("image", "nvcr.io/NVIDIA/cuda"));

        assertThat(seen(new ForeignCheck(), "only-foreign-devices")).isEmpty();
    }

    @Test
    void withoutAForeignDeviceNothingIsForeign() {
        says("admission-error", "events", 4, "UnexpectedAdmissionError");

        assertThat(seen(new ForeignCheck(), "only-foreign-devices")).isEmpty();
    }

    @Test
    void whatTheSchedulerSaidIsOverWhereALaterLineOfTheSameTextPlacesThePod() {
        says("insufficient-gpu", "describe", 10, "1 Insufficient nvidia.com/gpu");
        says("pod-placed", "describe", 12, "Successfully assigned llm/ollama to gpu-a");

        assertThat(seen(new RecoveredCheck(), "placed-since")).singleElement().satisfies(sign ->
                assertThat(sign.sides()).flatExtracting(Excerpt::lines).extracting(Excerpt.Line::number).containsExactly(10L, 12L));
    }

    @Test
    void itIsNotOverWhereThePlaceCameBeforeOrInAnotherTextOrOneIsStillLeft() {
        says("untolerated-taint", "describe", 10, "had untolerated taint");
        says("pod-placed", "describe", 9, "Successfully assigned llm/ollama to gpu-a");
        says("pod-placed", "other", 20, "Successfully assigned llm/whisper to gpu-a");
        assertThat(seen(new RecoveredCheck(), "placed-since")).isEmpty();

        says("pod-placed", "describe", 11, "Successfully assigned llm/ollama to gpu-a");
        says("insufficient-gpu", "describe", 30, "1 Insufficient nvidia.com/gpu");
        assertThat(seen(new RecoveredCheck(), "placed-since")).isEmpty();
    }

    private void node(String allocatable) {
        object("{kind: Node, metadata: {name: gpu-a, labels: {nvidia.com/gpu.present: 'true'}}, status: {capacity: {nvidia.com/gpu: '2'}, "
                + "allocatable: {nvidia.com/gpu: '" + allocatable + "'}}}");
    }

    private void plugin(String variables) {
        object("{kind: Pod, metadata: {name: nvidia-device-plugin-daemonset-x, namespace: gpu-operator}, spec: {nodeName: gpu-a, containers: "
                + "[{name: c, env: [" + variables + "]}]}, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}");
    }

    private void object(String yaml) {
        JsonNode object = yaml(yaml);
        picture.object(object, "objects", About.NOTHING);
    }

    private List<Sign> earlier() {
        return seen(new EarlierXidCheck(name -> name.contains("device-plugin") ? "device-plugin" : ""), "xid-before-plugin");
    }

    @Test
    void anXidOfACardThatThePluginGivesOutIsOfBeforeThePluginBegan() {
        says("memory-failing", "dmesg", 700, "NVRM: Xid (PCI:0000:01:00): 48", Map.of("xid", "48"));
        node("2");
        plugin("");

        assertThat(earlier()).singleElement().satisfies(sign -> {
            assertThat(sign.values()).containsEntry("xid", "48");
            assertThat(sign.sides()).extracting(Excerpt::from).containsExactly("dmesg", "objects Node gpu-a",
                    "objects Pod gpu-operator/nvidia-device-plugin-daemonset-x");
        });
    }

    @Test
    void itIsNotWhereACardIsWithdrawn() {
        says("memory-failing", "dmesg", 700, "NVRM: Xid (PCI:0000:01:00): 48", Map.of("xid", "48"));
        node("1");
        plugin("");
        assertThat(earlier()).isEmpty();
    }

    @Test
    void aPluginThatDoesNotWatchProvesNothing() {
        says("memory-failing", "dmesg", 700, "NVRM: Xid (PCI:0000:01:00): 48", Map.of("xid", "48"));
        node("2");
        plugin("{name: DP_DISABLE_HEALTHCHECKS, value: all}");

        assertThat(earlier()).isEmpty();
    }
}
