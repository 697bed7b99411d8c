package dev.pitwall.doctor;

import dev.pitwall.doctor.diagnosis.Diagnosis;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Public reports with an established cause, as short excerpts: by the rules alone the cause is named first, and what is no
 * fault is none.
 */
class DoctorCasesTest {
    private static final Doctor DOCTOR = Doctor.byRulesAlone();

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
    }
}
