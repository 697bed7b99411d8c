package dev.pitwall.doctor;

import dev.pitwall.doctor.diagnosis.Diagnosis;

import java.nio.file.Path;
import java.util.List;

/** Prints how the Doctor judges the cases of some folders: {@code CaseBench FOLDER…}. */
final class CaseBench {

    private CaseBench() {
    }

    public static void main(String[] folders) throws Exception {
        Doctor doctor = Doctor.withCatalogue();
        int cases = 0;
        int first = 0;
        int third = 0;
        int controls = 0;
        int quiet = 0;
        for (String folder : folders) {
            for (CaseFile file : CaseFile.all(Path.of(folder))) {
                Diagnosis diagnosis = doctor.diagnose(file.evidence());
                List<String> found = diagnosis.findings().stream()
                        .map(f -> f.trap().name() + " " + f.confidence()).toList();
                List<String> names = diagnosis.findings().stream().map(f -> f.trap().name()).toList();
                boolean right;
                if (file.control()) {
                    controls++;
                    right = names.isEmpty();
                    quiet += right ? 1 : 0;
                } else {
                    cases++;
                    right = !names.isEmpty() && names.getFirst().equals(file.expected())
                            || names.isEmpty() && diagnosis.waiting().stream()
                            .anyMatch(w -> w.finding().trap().name().equals(file.expected()));
                    first += right ? 1 : 0;
                    third += right || names.stream().limit(3).anyMatch(file.expected()::equals) ? 1 : 0;
                }
                if (!right) {
                    System.out.println("MISS " + file.id() + (file.control() ? " (control)" : " (" + file.basis() + ")")
                            + " wants " + file.expected() + ", says " + found + " waits "
                            + diagnosis.waiting().stream().map(w -> w.finding().trap().name()).toList());
                }
            }
        }
        System.out.printf("first %d of %d, among three %d, controls quiet %d of %d%n", first, cases, third, quiet, controls);
    }
}
