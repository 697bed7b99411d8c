package dev.pitwall.doctor;

import dev.pitwall.doctor.diagnosis.Diagnosis;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Public reports of which the cause is known: it is named first, and what is no fault is not called one. */
class DoctorCasesTest {
    private static final Doctor DOCTOR = Doctor.withCatalogue();

    static Stream<CaseFile> cases() {
        return CaseFile.all(Path.of("src/test/resources/doctor/cases")).stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theCauseIsNamedFirst(CaseFile file) throws Exception {
        Diagnosis diagnosis = DOCTOR.diagnose(file.evidence());
        List<String> found = diagnosis.findings().stream().map(f -> f.trap().name()).toList();
        List<String> waits = diagnosis.waiting().stream().map(w -> w.finding().trap().name()).toList();

        if (file.control()) {
            assertThat(found).as(file.id()).isEmpty();
        } else {
            assertThat(found.isEmpty() ? waits : found).as(file.id()).isNotEmpty().first().isEqualTo(file.expected());
        }
    }
}
