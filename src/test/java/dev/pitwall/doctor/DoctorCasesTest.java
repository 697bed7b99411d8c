package dev.pitwall.doctor;

import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign.About;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Public reports with an established cause, as short excerpts: by the rules alone the cause is named first, and what is no
 * fault is none.
 */
class DoctorCasesTest {
    private static final Doctor DOCTOR = Doctor.byRulesAlone();

    /** What rests on all of the evidence, or on what is not in it, has no lines. */
    private static final Set<String> OF_ALL = Set.of("the cluster's objects were read", "no module of NVIDIA is loaded",
            "the VM's whole configuration was read", "the node has a card, and its capacity names no nvidia.com resource");

    private static boolean compared(Finding.Proof proof) {
        return proof.line().filter(line -> line.number() == 0 && line.text().equals(proof.says())).isPresent();
    }

    static Stream<CaseFile> cases() {
        return CaseFile.all(Path.of("src/test/resources/doctor/cases")).stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theCauseOfAReportIsNamedFirst(CaseFile file) throws Exception {
        Diagnosis diagnosis = DOCTOR.diagnose(file.evidence());

        List<String> found = diagnosis.findings().stream().map(f -> f.trap().name()).toList();
        List<String> waited = diagnosis.waiting().stream().map(w -> w.finding().trap().name()).toList();
        if (file.control()) {
            assertThat(found).as("%s is no fault", file.id()).isEmpty();
        } else {
            assertThat(found.isEmpty() ? waited : found).as(file.id()).startsWith(file.expected());
        }
        assertThat(diagnosis.findings().stream().flatMap(f -> f.evidence().stream()).filter(DoctorCasesTest::compared)
                .filter(proof -> proof.sides().isEmpty()).map(Finding.Proof::says))
                .as("%s: what was compared shows its lines", file.id()).isSubsetOf(OF_ALL);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0/1 nodes are available: 1 Insufficient nvidia.com/gpu.\
            | gpus-held-by-other-pods plugin-without-nvidia-runtime device-plugin-missing-toleration
            no runtime for "nvidia" is configured\
            | runtime-handler-not-configured containerd-config-wrong-file-or-format containerd-socket-wrong-path
            nvidia-container-toolkit-daemonset-x 0/1 CrashLoopBackOff 5 9m\
            | containerd-socket-wrong-path containerd-config-wrong-file-or-format apparmor-blocks-toolkit
            nvidia-dcgm-exporter-x 0/1 CrashLoopBackOff 5 9m\
            | dcgm-exporter-oom exporter-without-driver-libraries two-dcgm-host-engines
            Warning FailedCreate daemonset-controller Error creating: pods\
            | admission-blocks-privileged-pods admission-policy-denied quota-requires-requests
            """)
    void aBareSymptomLeavesItsCommonestCausesOpen(String line, String causes) throws Exception {
        Diagnosis diagnosis = DOCTOR.diagnose(taker ->
                taker.take(Document.text("pasted", Hint.UNKNOWN, About.NOTHING, line)));

        assertThat(diagnosis.findings().stream().map(f -> f.trap().name()).limit(3)).containsExactly(causes.split(" "));
    }

    @Test
    void aFullQuotaOfCardsIsNamedWithWhatIsInUse() throws Exception {
        Diagnosis diagnosis = DOCTOR.diagnose(taker -> taker.take(Document.text("pasted", Hint.UNKNOWN, About.NOTHING,
                "pods \"t-0\" is forbidden: exceeded quota: team, requested: requests.cpu=1,requests.nvidia.com/gpu=1, "
                        + "used: requests.cpu=8,requests.nvidia.com/gpu=2, limited: requests.cpu=8,requests.nvidia.com/gpu=2")));

        assertThat(diagnosis.findings().getFirst().summary())
                .isEqualTo("The pod is refused before it is made, by the quota team: 2 of 2 requests.nvidia.com/gpu in use, 1 more asked.");
    }
}
