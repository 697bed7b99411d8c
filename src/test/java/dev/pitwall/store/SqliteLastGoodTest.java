package dev.pitwall.store;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.GpuDevice;
import dev.pitwall.card.HostReport;
import dev.pitwall.card.MachineReport;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.PodReport;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.card.TroubleException;
import dev.pitwall.card.VmReport;
import dev.pitwall.site.Connection.Kind;
import dev.pitwall.site.LastGood;
import dev.pitwall.site.LastGood.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;

class SqliteLastGoodTest {
    private static final Instant EARLY = Instant.ofEpochMilli(1_000);
    private static final Instant LATE = Instant.ofEpochMilli(2_000);
    private static final PciAddress CARD = PciAddress.parse("0000:01:00.0").orElseThrow();
    private static final PciFunction FUNCTION = new PciFunction(CARD, Optional.of("0300"), Optional.of("VGA"), Optional.of("10de"),
            Optional.of("25b0"), Optional.empty(), Optional.empty(), Optional.of("vfio-pci"), List.of("nouveau"),
            OptionalInt.of(14), Optional.empty());
    private static final GpuDevice GPU = new GpuDevice(OptionalInt.of(0), Optional.of("RTX A1000"), Optional.of("GPU-1"),
            Optional.of(CARD), Optional.empty(), OptionalLong.of(8188), OptionalLong.empty(), OptionalDouble.of(71.5),
            OptionalDouble.empty(), OptionalDouble.empty(), OptionalInt.empty());

    @TempDir
    private Path temp;
    private Database database;
    private LastGood lastGood;

    @BeforeEach
    void open() throws TroubleException {
        database = Database.open(new DataFolder(temp));
        lastGood = new SqliteLastGood(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static ServerReport server(String version) {
        return new ServerReport("ollama-a", "ollama", Optional.of(version),
                List.of(new ServerReport.LoadedModel("m", OptionalLong.of(5), OptionalLong.empty(), Optional.of(EARLY), OptionalLong.of(4096))),
                List.of());
    }

    private Optional<Answer<ServerReport>> server() throws TroubleException {
        return lastGood.of("1", Kind.MODELS, "ollama-a", ServerReport.class);
    }

    @Test
    void theNewestAnswerSurvivesARestart() throws TroubleException {
        assertThat(server()).isEmpty();
        lastGood.keep("1", Kind.MODELS, "ollama-a", server("new"), LATE);
        // A slow read that ends after a newer one.
        lastGood.keep("1", Kind.MODELS, "ollama-a", server("old"), EARLY);
        close();
        try (Database again = Database.open(new DataFolder(temp))) {
            assertThat(new SqliteLastGood(again).of("1", Kind.MODELS, "ollama-a", ServerReport.class))
                    .contains(new Answer<>(server("new"), LATE));
        }
    }

    @Test
    void everySortOfReportComesBackAsItWas() throws TroubleException {
        VmReport vm = new VmReport(121, "gpu-a", VmReport.Status.RUNNING, Optional.of("uuid"), Optional.of("q35"), "ovmf",
                OptionalLong.of(9), List.of(new VmReport.Passthrough("hostpci0", List.of(CARD.slot()), Optional.empty(), true)),
                List.of(), List.of("hostpci0"), Optional.empty(), false, true, Optional.empty());
        HostReport host = new HostReport("pve1", "8.4.14", OptionalLong.of(7), Optional.of("6.8"), Optional.empty(),
                Optional.of(true), Optional.empty(), List.of("vmx"), List.of(FUNCTION), List.of(vm),
                Map.of("gpu", List.of(new HostReport.PciMapping(List.of(CARD), Optional.of("10de:25b0"), Optional.of(14), Optional.empty()))));
        lastGood.keep("1", Kind.PROXMOX, "pve1", List.of(host), EARLY);
        assertThat(lastGood.listOf("1", Kind.PROXMOX, "pve1", HostReport.class)).contains(new Answer<>(List.of(host), EARLY));

        MachineReport machine = new MachineReport("pve1", Optional.empty(), Optional.of("MS-01"), "6.8", "quiet", OptionalLong.empty(), Optional.of(false),
                List.of("dmar0"), List.of("DMAR"), Map.of(CARD, 14), List.of(FUNCTION), Optional.empty(), List.of(GPU), Optional.empty(),
                Optional.of(new MachineReport.ContainerdSettings(Optional.of("nvidia"), List.of("runc"), Optional.empty())), List.of());
        same(Kind.SHELL, machine, MachineReport.class);
        same(Kind.PROMETHEUS, new TelemetryReport(List.of(new TelemetryReport.Sample("n", GPU, Optional.empty(), LATE))), TelemetryReport.class);
        same(Kind.CLUSTER, new ClusterReport("v1.33", List.of(new NodeReport("n", Optional.empty(), Map.of("a", "b"),
                List.of(new NodeReport.Taint("k", Optional.empty(), "NoSchedule")), Map.of("nvidia.com/gpu", 1L), Map.of(), List.of(), true,
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty())),
                List.of(new PodReport("ns", "p", "u", Optional.empty(), Optional.empty(), Optional.of("n"), Optional.empty(), "Running",
                        Optional.empty(), Map.of("nvidia.com/gpu", 1L), true, false, Optional.of(EARLY), Optional.empty(), List.of(),
                        List.of(new PodReport.ContainerReport("c", "running", true, 2, Optional.empty(), Optional.empty(), Optional.of(0),
                                Optional.empty(), Optional.empty(), Optional.of(LATE))))),
                1, List.of(), Optional.empty(), List.of()), ClusterReport.class);
    }

    private <T> void same(Kind kind, T report, Class<T> type) throws TroubleException {
        lastGood.keep("1", kind, "s", report, EARLY);
        assertThat(lastGood.of("1", kind, "s", type)).contains(new Answer<>(report, EARLY));
    }

    @Test
    void anAnswerOfAnotherShapeIsNotUsed() throws TroubleException {
        lastGood.keep("1", Kind.MODELS, "ollama-a", List.of("something else"), LATE);
        assertThat(server()).isEmpty();
    }

    @Test
    void oldAnswersAndGoneSitesAreForgotten() throws TroubleException {
        lastGood.keep("1", Kind.MODELS, "ollama-a", server("a"), EARLY);
        lastGood.forgetBefore(LATE);
        assertThat(server()).isEmpty();
        lastGood.keep("1", Kind.MODELS, "ollama-a", server("a"), LATE);
        lastGood.forget("2");
        assertThat(server()).isPresent();
        lastGood.forget("1");
        assertThat(server()).isEmpty();
    }
}
