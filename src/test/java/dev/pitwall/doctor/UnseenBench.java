package dev.pitwall.doctor;

import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.likeness.KnownReports;
import dev.pitwall.doctor.likeness.KnownReports.Opinion;
import dev.pitwall.doctor.likeness.ReportTable;
import dev.pitwall.doctor.likeness.SecondOpinion;
import dev.pitwall.doctor.sign.SignBook;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Prints what the known reports add on reports that they do not have: {@code UnseenBench KNOWN FIRST LAST}: the cases of a
 * folder with numbers from FIRST to LAST are judged by a table of the others. The rules may know them all.
 */
final class UnseenBench {

    private UnseenBench() {
    }

    public static void main(String[] args) throws Exception {
        TrapCatalogue catalogue = TrapCatalogue.load();
        Doctor rules = Doctor.of(catalogue, Optional.empty());
        Predicate<CaseFile> unseen = file -> {
            int number = Integer.parseInt(file.id().split("-")[0]);
            return number >= Integer.parseInt(args[1]) && number <= Integer.parseInt(args[2]);
        };
        ReportTable table = ReportTable.ofPages(catalogue);
        List<CaseFile> cases = CaseFile.all(Path.of(args[0]));
        for (CaseFile file : cases) {
            if (!unseen.test(file)) {
                Examination examination = rules.read(file.evidence(), new SignBook());
                table.add(file.control() ? "none" : file.expected(), file.source(), examination.words().counts());
            }
        }
        KnownReports known = table.known();
        Doctor both = Doctor.of(catalogue, Optional.of(new SecondOpinion(() -> known, catalogue)));
        Map<String, int[]> sums = new LinkedHashMap<>();
        for (CaseFile file : cases) {
            if (unseen.test(file)) {
                Examination examination = rules.read(file.evidence(), new SignBook());
                Opinion opinion = known.of(examination.words().counts());
                List<String> alike = opinion.alike().stream().map(KnownReports.Alike::cause)
                        .limit(3).toList();
                count(sums, "rules", file, names(rules.diagnose(file.evidence())));
                count(sums, "likeness alone", file, alike);
                List<String> said = names(both.diagnose(file.evidence()));
                count(sums, "both", file, said);
                if (file.control() ? !said.isEmpty() : !said.contains(file.expected())) {
                    System.out.println(file.id() + " wants " + file.expected() + ", says " + said + String.format(" reads like %s, trouble %.2f", alike, opinion.trouble()));
                }
            }
        }
        sums.forEach((who, sum) -> System.out.printf("%s: first %d, among three %d of %d; controls quiet %d of %d%n", who,
                sum[0], sum[1], sum[2], sum[3], sum[4]));
    }

    private static List<String> names(Diagnosis diagnosis) {
        return diagnosis.findings().stream().map(f -> f.trap().name()).toList();
    }

    private static void count(Map<String, int[]> sums, String who, CaseFile file, List<String> said) {
        int[] sum = sums.computeIfAbsent(who, w -> new int[5]);
        if (file.control()) {
            sum[3] += said.isEmpty() ? 1 : 0;
            sum[4]++;
        } else {
            sum[0] += !said.isEmpty() && said.getFirst().equals(file.expected()) ? 1 : 0;
            sum[1] += said.stream().limit(3).anyMatch(file.expected()::equals) ? 1 : 0;
            sum[2]++;
        }
    }
}
