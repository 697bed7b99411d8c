package dev.pitwall.lab.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;

/** What the exporters say follows the cluster's pods. */
class ExporterPodsTest {
    @TempDir
    Path dir;

    private static String metrics(HttpClient client, URI exporter) throws Exception {
        return client.send(HttpRequest.newBuilder(exporter.resolve("/metrics")).build(),
                HttpResponse.BodyHandlers.ofString()).body();
    }

    private static URI exporter(Lab lab) {
        return lab.endpoints().stream().filter(e -> e.system().equals("dcgm")).map(LabEndpoint::uri).findFirst()
                .orElseThrow();
    }

    @Test
    void eachCardOfANodeNamesThePodThatHasIt() throws Exception {
        try (Lab lab = Lab.start(LabOptions.garage(dir).withScene("metal")); HttpClient client = HttpClient.newHttpClient()) {
            String text = metrics(client, exporter(lab));
            assertThat(text.lines().filter(line -> line.startsWith("DCGM_FI_DEV_FB_USED{"))).satisfiesExactly(
                    first -> assertThat(first).contains("pci_bus_id=\"00000000:41:00.0\"", "container=\"ollama\"",
                            "pod=\"ollama-"),
                    second -> assertThat(second).contains("pci_bus_id=\"00000000:61:00.0\"", "container=\"llama-server\"",
                            "pod=\"llama-"));
        }
    }

    @Test
    void anExporterWhosePodIsDownRefusesAndComesBack() throws Exception {
        try (Lab lab = Lab.start(LabOptions.garage(dir).withSpeed(20)); HttpClient client = HttpClient.newHttpClient()) {
            URI exporter = exporter(lab);
            assertThat(metrics(client, exporter)).contains("DCGM_FI_DEV_GPU_TEMP");
            lab.switchOn("dcgm-exporter-oom", Optional.empty());
            await().until(() -> refuses(client, exporter));
            lab.switchOff("dcgm-exporter-oom");
            await().until(() -> !refuses(client, exporter));
        }
    }

    private static boolean refuses(HttpClient client, URI exporter) throws Exception {
        try {
            metrics(client, exporter);
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
