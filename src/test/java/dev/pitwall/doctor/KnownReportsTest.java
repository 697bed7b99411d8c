package dev.pitwall.doctor;

import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.likeness.KnownReports;
import dev.pitwall.doctor.likeness.ReportTable;
import dev.pitwall.doctor.likeness.ReportWords;
import dev.pitwall.doctor.likeness.SecondOpinion;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of known reports is made from the cases; {@code -Dpitwall.reports=write} makes it anew. Whatever it adds to
 * the rules is judged on cases that it does not have.
 */
class KnownReportsTest {
    private static final Path TABLE = Path.of("resources/doctor/reports.tsv");
    private static final int PARTS = 5;
    private static final TrapCatalogue CATALOGUE = TrapCatalogue.load();
    private static List<Seen> seen;

    /** A case with what the rules say of it. */
    private record Seen(CaseFile file, Diagnosis rules, SignBook book, ReportWords words) {
        static Seen of(CaseFile file, Doctor doctor) {
            try {
                SignBook book = new SignBook();
                ReportWords words = doctor.read(file.evidence(), book).words();
                return new Seen(file, doctor.diagnose(file.evidence()), book, words);
            } catch (TroubleException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        String cause() {
            return file.control() ? "none" : file.expected();
        }
    }

    private static ReportTable table(Predicate<Seen> which) {
        ReportTable table = ReportTable.ofPages(CATALOGUE);
        seen.stream().filter(which).forEach(one -> table.add(one.cause(), one.file().source(), one.words().counts()));
        return table;
    }

    @BeforeAll
    static void readTheCases() {
        Doctor doctor = Doctor.of(CATALOGUE, Optional.empty());
        seen = CaseFile.all(Path.of("src/test/resources/doctor/cases")).stream().map(file -> Seen.of(file, doctor)).toList();
    }

    @Test
    void theTableIsThatOfTheCasesAndOfThePages() throws Exception {
        List<String> lines = table(one -> true).lines();
        if ("write".equals(System.getProperty("pitwall.reports"))) {
            Files.writeString(TABLE, String.join("\n", lines) + "\n");
        }
        assertThat(Files.readAllLines(TABLE)).isEqualTo(lines);
    }

    @Test
    void reportsThatAreNotInTheTableReadLikeOthersOfTheirCauseAndThoseWithoutTroubleLikeNone() {
        int faults = 0;
        int first = 0;
        int ranked = 0;
        int healthy = 0;
        int named = 0;
        for (int part = 0; part < PARTS; part++) {
            int own = part;
            KnownReports others = table(one -> part(one) != own).known();
            SecondOpinion second = new SecondOpinion(() -> others, CATALOGUE);
            for (Seen one : seen.stream().filter(s -> part(s) == own).toList()) {
                if (one.file().control()) {
                    healthy++;
                    named += second.on(one.rules(), one.book(), one.words()).findings().isEmpty() ? 0 : 1;
                } else {
                    faults++;
                    List<String> alike = others.of(one.words().counts()).alike().stream().map(KnownReports.Alike::cause).toList();
                    first += alike.getFirst().equals(one.cause()) ? 1 : 0;
                    ranked += alike.subList(0, 3).contains(one.cause()) ? 1 : 0;
                }
            }
        }
        assertThat(first).as("of %s", faults).isGreaterThan(faults * 3 / 5);
        assertThat(ranked).as("of %s", faults).isGreaterThan(faults * 4 / 5);
        assertThat(named).as("of %s without trouble", healthy).isLessThan(healthy / 20);
    }

    /** Reports of one source stay together. */
    private static int part(Seen one) {
        return Math.floorMod(one.file().source().hashCode(), PARTS);
    }

    private static Diagnosis shown(Doctor doctor, String text) throws Exception {
        return doctor.diagnose(taker -> taker.take(Document.text("paste.txt", Hint.UNKNOWN, About.NOTHING, text)));
    }

    private static Doctor knowing(String... table) {
        return Doctor.of(CATALOGUE, Optional.of(new SecondOpinion(() -> ReportTable.of(table), CATALOGUE)));
    }

    private static final String[] FEW = {"nouveau-loaded\thttps://example.org/1\tkestrel refuses sideways",
        "nouveau-loaded\thttps://example.org/2\tkestrel refuses sideways again", "none\thttps://example.org/3\tnvidia lights are green today",
        "none\thttps://example.org/4\tnvidia lights are green today"};

    @Test
    void whatNoRuleKnowsIsWorthALookWithTheReportThatReadsAlike() throws Exception {
        Finding finding = shown(knowing(FEW), "my nvidia card:\nkestrel refuses sideways\nagain").findings().getFirst();

        assertThat(finding.trap().name()).isEqualTo("nouveau-loaded");
        assertThat(finding.certain()).isFalse();
        assertThat(finding.summary()).contains("No rule proves a cause", "https://example.org/1");
        assertThat(finding.evidence().getFirst().line().orElseThrow().text()).isEqualTo("kestrel refuses sideways");
    }

    @Test
    void anotherMakersCardAndGoodHealthAndALongLogAreNotGuessedAt() throws Exception {
        Doctor doctor = knowing(FEW);

        assertThat(shown(doctor, "amdgpu kestrel refuses sideways").findings()).isEmpty();
        assertThat(shown(doctor, "nvidia lights are green today").findings()).isEmpty();
        assertThat(shown(doctor, "nvidia kestrel refuses sideways\n".repeat(9_000)).findings()).isEmpty();
    }

    @Test
    void whatARuleIsCertainOfStaysAlone() throws Exception {
        String text = "modprobe: ERROR: could not insert 'nvidia': Key was rejected by service\nkestrel refuses sideways";

        assertThat(shown(knowing(FEW), text).findings()).extracting(f -> f.trap().name())
                .isEqualTo(shown(Doctor.byRulesAlone(), text).findings().stream().map(f -> f.trap().name()).toList());
    }
}
