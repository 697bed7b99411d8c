package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** nvidia-smi in all its forms. The samples in the text blocks are made up in the layouts of the drivers they name. */
class GpuFormsTest {

    @ParameterizedTest
    @CsvSource({
            "qx-t4.xml, 595.91.07, 13.2, 1, Tesla T4, 0000:00:1e.0, 15360, 0, 33, 33.51, Pass-Through",
            "qx-l40s.xml, 595.91.07, 13.2, 1, NVIDIA L40S, 0000:30:00.0, 46068, 0, 29, 66.16, Pass-Through",
            "qx-a100.xml, 570.148.08, 12.8, 1, NVIDIA A100-SXM4-40GB, 0000:06:00.0, 40960, 0, 33, 49.68, Pass-Through",
            "qx-gb200-throttle-counters.xml, 580.65.06, 13.0, 2, NVIDIA GB200, 0000:0a:00.0, 196608, 0, 36, 145, None",
    })
    void realXmlOfBothDtdVersionsIsRead(String file, String driver, String cuda, int count, String name, String bus,
                                        long total, long used, double temperature, double power, String virtualization) {
        JsonNode document = Samples.read(Samples.text("nvidia-smi/" + file));
        assertThat(document.path("kind").asText()).isEqualTo("nvidia-smi");
        assertThat(document.path("layout").asText()).isEqualTo("query-xml");
        assertThat(document.path("driverVersion").asText()).isEqualTo(driver);
        assertThat(document.path("cudaVersion").asText()).isEqualTo(cuda);
        assertThat(document.path("gpus")).hasSize(count);
        JsonNode gpu = document.path("gpus").get(0);
        assertThat(gpu.path("index").asInt(-1)).isZero();
        assertThat(gpu.path("name").asText()).isEqualTo(name);
        assertThat(gpu.path("busId").asText()).isEqualTo(bus);
        assertThat(gpu.path("memoryTotalMiB").asLong()).isEqualTo(total);
        assertThat(gpu.path("memoryUsedMiB").asLong(-1)).isEqualTo(used);
        assertThat(gpu.path("temperatureC").asDouble()).isEqualTo(temperature);
        assertThat(gpu.path("powerW").asDouble()).isEqualTo(power);
        assertThat(gpu.path("virtualization").asText()).isEqualTo(virtualization);
    }

    @Test
    void aLostGpuHasNoFiguresAndSaysThatItIsLost() {
        JsonNode gpus = Samples.read(Samples.text("nvidia-smi/qx-gb200-lost.xml")).path("gpus");
        assertThat(gpus).hasSize(2);
        assertThat(gpus.get(0).path("lost").isNull()).isTrue();
        assertThat(gpus.get(0).path("powerW").asDouble()).isEqualTo(565.11);
        JsonNode lost = gpus.get(1);
        assertThat(lost.path("lost").asBoolean()).isTrue();
        assertThat(lost.path("index").asInt()).isEqualTo(1);
        assertThat(lost.path("uuid").asText()).isEqualTo("GPU-b200b200-0000-0000-0000-000000000001");
        for (String figure : new String[] {"memoryTotalMiB", "memoryUsedMiB", "utilizationPercent", "temperatureC", "powerW"}) {
            assertThat(lost.path(figure).isNull()).as(figure).isTrue();
        }
    }

    @Test
    void xmlEntitiesAndForeignDtdsAreNotResolved(@TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "GPU-secret");
        String xml = """
                <?xml version="1.0" ?>
                <!DOCTYPE nvidia_smi_log [<!ENTITY leak SYSTEM "%s">]>
                <nvidia_smi_log><attached_gpus>1</attached_gpus>
                <gpu id="00000000:01:00.0"><product_name>&leak;</product_name><uuid>&leak;</uuid></gpu></nvidia_smi_log>
                """.formatted(secret.toUri());
        assertThat(Samples.read(xml).toString()).doesNotContain("GPU-secret");
    }

    @Test
    void theWideTableOfNewerDriversIsRead() {
        JsonNode document = Samples.read("""
                Thu Aug 20 10:00:00 2026
                +-----------------------------------------------------------------------------------------+
                | NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |
                |-----------------------------------------+------------------------+----------------------+
                | GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
                | Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
                |                                         |                        |               MIG M. |
                |=========================================+========================+======================|
                |   0  NVIDIA GeForce RTX 4090        Off |   00000000:01:00.0  On |                  Off |
                | 30%   45C    P2            120W /  450W |    8123MiB /  24564MiB |     87%      Default |
                |                                         |                        |                  N/A |
                +-----------------------------------------+------------------------+----------------------+
                |   1  NVIDIA RTX A1000               On  |   00000000:02:00.0 Off |                  N/A |
                | N/A   ERR!   P8            N/A /  N/A   |       2MiB /   8188MiB |      0%      Default |
                |                                         |                        |                  N/A |
                +-----------------------------------------+------------------------+----------------------+
                | Processes:                                                                              |
                |    0   N/A  N/A      1234      C   /usr/bin/ollama                             8100MiB |
                +-----------------------------------------------------------------------------------------+
                """);
        JsonNode gpus = document.path("gpus");
        assertThat(gpus).hasSize(2);
        assertThat(gpus.get(0).path("name").asText()).isEqualTo("NVIDIA GeForce RTX 4090");
        assertThat(gpus.get(0).path("utilizationPercent").asInt()).isEqualTo(87);
        assertThat(gpus.get(0).path("powerW").asInt()).isEqualTo(120);
        assertThat(gpus.get(1).path("temperatureC").isNull()).isTrue();
        assertThat(gpus.get(1).path("powerW").isNull()).isTrue();
        assertThat(gpus.get(1).path("memoryTotalMiB").asInt()).isEqualTo(8188);
    }

    @Test
    void aCsvLineWithOtherColumnsIsLeftOut() {
        JsonNode read = Samples.read("index, name, power.draw [W]\n0, NVIDIA L4, 12,5 W\n1, NVIDIA L4, 30.25 W, 7\n2, NVIDIA L4\n");

        assertThat(read.path("gpus")).hasSize(1);
        assertThat(read.path("gpus").get(0).path("powerW").asDouble()).isEqualTo(12.5);
        assertThat(read.path("notes")).extracting(JsonNode::asText).containsExactly(
                "line 3 has 4 columns, the header 3; it was left out", "line 4 has 2 columns, the header 3; it was left out");
    }

    @Test
    void csvIsReadWithAndWithoutUnits() {
        JsonNode with = Samples.read("""
                index, name, uuid, pci.bus_id, driver_version, memory.total [MiB], memory.used [MiB], utilization.gpu [%], temperature.gpu, power.draw [W]
                0, NVIDIA RTX A1000, GPU-00000001-0000-0000-0000-000000000001, 00000000:01:00.0, 580.126.20, 8188 MiB, 5393 MiB, 98 %, 61, 46.81 W
                1, NVIDIA RTX A1000, GPU-00000001-0000-0000-0000-000000000002, 00000000:02:00.0, 580.126.20, 8188 MiB, [N/A], [N/A], 35, [N/A]
                """).path("gpus");
        assertThat(with.get(0).path("powerW").asDouble()).isEqualTo(46.81);
        assertThat(with.get(0).path("busId").asText()).isEqualTo("0000:01:00.0");
        assertThat(with.get(1).path("memoryUsedMiB").isNull()).isTrue();
        assertThat(with.get(1).path("temperatureC").asInt()).isEqualTo(35);
        JsonNode without = Samples.read("uuid, memory.total [MiB]\nGPU-00000001-0000-0000-0000-000000000001, 8188\n").path("gpus");
        assertThat(without.get(0).path("memoryTotalMiB").asInt()).isEqualTo(8188);
    }

    @Test
    void theListIsRead() {
        JsonNode gpus = Samples.read("""
                GPU 0: NVIDIA A10 (UUID: GPU-f15ae561-21b1-6003-c768-861fc285203b)
                GPU 1: Tesla T4 (UUID: GPU-bf507abe-ec25-2053-5435-1c82511a3ae8)
                """).path("gpus");
        assertThat(gpus.get(1).path("index").asInt()).isEqualTo(1);
        assertThat(gpus.get(1).path("uuid").asText()).isEqualTo("GPU-bf507abe-ec25-2053-5435-1c82511a3ae8");
        assertThat(gpus.get(0).path("memoryTotalMiB").isNull()).isTrue();
    }

    @Test
    void theQueryTextTakesEachValueUnderItsOwnHead() {
        JsonNode document = Samples.read("""
                ==============NVSMI LOG==============

                Timestamp                                 : Thu Aug 20 10:00:00 2026
                Driver Version                            : 580.126.20
                CUDA Version                              : 13.0

                Attached GPUs                             : 1
                GPU 00000000:01:00.0
                    Product Name                          : NVIDIA RTX A1000
                    GPU UUID                              : GPU-00000001-0000-0000-0000-000000000001
                    Clocks Event Reasons
                        Idle                              : Not Active
                        SW Power Cap                      : Active
                    FB Memory Usage
                        Total                             : 8188 MiB
                        Reserved                          : 385 MiB
                        Used                              : 5393 MiB
                        Free                              : 2410 MiB
                    BAR1 Memory Usage
                        Total                             : 8192 MiB
                        Used                              : 5 MiB
                    Utilization
                        GPU                               : 98 %
                        Memory                            : 70 %
                    Temperature
                        GPU Current Temp                  : 61 C
                    GPU Power Readings
                        Average Power Draw                : N/A
                        Instantaneous Power Draw          : 46.81 W
                    GPU Memory Power Readings
                        Instantaneous Power Draw          : 3.00 W
                """);
        JsonNode gpu = document.path("gpus").get(0);
        assertThat(gpu.path("index").asInt(-1)).isZero();
        assertThat(gpu.path("memoryTotalMiB").asInt()).isEqualTo(8188);
        assertThat(gpu.path("memoryUsedMiB").asInt()).isEqualTo(5393);
        assertThat(gpu.path("utilizationPercent").asInt()).isEqualTo(98);
        assertThat(gpu.path("powerW").asDouble()).isEqualTo(46.81);
        assertThat(gpu.path("slowedBy")).extracting(JsonNode::asText).containsExactly("SW Power Cap");
        assertThat(gpu.path("driverVersion").asText()).isEqualTo("580.126.20");
    }

    @Test
    void aFailureOfNvidiaSmiIsItsErrorAndNoGpu() {
        JsonNode document = Samples.read("Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.95\n");
        assertThat(document.path("gpus")).isEmpty();
        assertThat(document.path("error").asText()).isEqualTo("Failed to initialize NVML: Driver/library version mismatch");
    }
}
