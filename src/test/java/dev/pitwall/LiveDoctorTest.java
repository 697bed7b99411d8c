package dev.pitwall;

import dev.pitwall.doctor.Treatment;
import dev.pitwall.doctor.catalogue.TrapFloor;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.report.MarkdownReport;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.journey.RunRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import static org.assertj.core.api.Assertions.assertThat;

/** The Doctor looks at a lab over its sockets: what was broken is named, the lowest first, and cured by its own plan. */
@ExtendWith(Patience.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LiveDoctorTest {
    private static final String GPU_B = "rke2-worker-dc2-gpu-a";

    @TempDir
    private static Path dir;
    private static Clinic clinic;

    @BeforeAll
    static void open() throws Exception {
        clinic = new Clinic(dir, "garage", 60, List.of());
    }

    @AfterAll
    static void close() {
        clinic.close();
    }

    @Test
    @Order(1)
    void nothingIsWrongWithASiteThatIsWell() throws Exception {
        Diagnosis seen = clinic.diagnose();

        assertThat(seen.findings()).isEmpty();
        assertThat(seen.unseen()).isEmpty();
        assertThat(seen.looked().objects()).isGreaterThan(50);
    }

    @Test
    @Order(2)
    void ofFaultsOnSeveralFloorsTheLowestIsFirstAndTheOthersAreToldWithTheirPlaces() throws Exception {
        clinic.strike("vm-machine-not-q35", "pve1/0000:01:00");
        clinic.strike("node-cordoned", "pve2/0000:01:00");
        clinic.strike("dcgm-exporter-oom", "");

        Diagnosis seen = await("vm-machine-not-q35", "node-cordoned", "dcgm-exporter-oom");

        Finding first = seen.findings().getFirst();
        assertThat(first.trap().name()).isEqualTo("vm-machine-not-q35");
        assertThat(first.trap().floor()).isEqualTo(TrapFloor.VM);
        assertThat(first.nodes()).containsExactly("pve1");
        assertThat(first.cards()).containsExactly("pve1/0000:01:00");
        assertThat(first.evidence()).flatExtracting(Finding.Proof::sides).flatExtracting(Excerpt::lines)
                .filteredOn(Excerpt.Line::counts).extracting(line -> line.text().strip())
                .contains("hostpci0: 0000:01:00,pcie=1", "# no machine");
        assertThat(MarkdownReport.of(seen)).contains("> ", "# no machine").doesNotContain(GPU_B);
        assertThat(find(seen, "node-cordoned").orElseThrow().nodes()).containsExactly(GPU_B);
        clinic.lab.lab().switchOff("vm-machine-not-q35");
    }

    @Test
    @Order(3)
    void eachIsCuredByItsOwnPlanAndIsGoneThen() throws Exception {
        Diagnosis seen = await("node-cordoned", "dcgm-exporter-oom");

        for (String trap : List.of("node-cordoned", "dcgm-exporter-oom")) {
            Treatment treatment = clinic.treatment(find(seen, trap).orElseThrow());
            assertThat(treatment.means()).isInstanceOf(Treatment.OwnCure.class);
            RunRecord run = clinic.apply(treatment);
            assertThat(run.state()).as("%s: %s", trap, run.note()).isEqualTo(RunRecord.State.DONE);
        }
        assertThat(clinic.diagnose().findings()).extracting(f -> f.trap().name())
                .doesNotContain("node-cordoned", "dcgm-exporter-oom");
    }

    /** What was struck shows when those who meet it have met it. */
    private static Diagnosis await(String... traps) throws Exception {
        AtomicReference<Diagnosis> seen = new AtomicReference<>(clinic.diagnose());
        Awaitility.await().until(() -> {
            seen.set(clinic.diagnose());
            return List.of(traps).stream().allMatch(trap -> find(seen.get(), trap).isPresent());
        });
        return seen.get();
    }

    private static Optional<Finding> find(Diagnosis seen, String trap) {
        return seen.findings().stream().filter(f -> f.trap().name().equals(trap)).findFirst();
    }
}
