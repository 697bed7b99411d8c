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
import java.util.stream.IntStream;

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
    private static List<String> lines;

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

        String line() {
            return ReportTable.line(file.control() ? "none" : file.expected(), file.source(), words.counts(book));
        }
    }

    @BeforeAll
    static void readTheCases() {
        Doctor doctor = Doctor.of(CATALOGUE, Optional.empty());
        seen = CaseFile.all(Path.of("src/test/resources/doctor/cases")).stream().map(file -> Seen.of(file, doctor)).toList();
        lines = seen.stream().map(Seen::line).toList();
    }

    @Test
    void theTableIsThatOfTheCases() throws Exception {
        if ("write".equals(System.getProperty("pitwall.reports"))) {
            Files.writeString(TABLE, String.join("\n", lines) + "\n");
        }
        assertThat(Files.readAllLines(TABLE)).isEqualTo(lines);
    }

    @Test
    void reportsThatAreNotInTheTableReadLikeOthersOfTheirCauseAndThoseWithoutTroubleLikeNone() {
        int faults = 0;
        int ranked = 0;
        int healthy = 0;
        int named = 0;
        for (int part = 0; part < PARTS; part++) {
            int own = part;
            KnownReports others = ReportTable.of(IntStream.range(0, lines.size()).filter(i -> i % PARTS != own)
                    .mapToObj(lines::get).toList());
            SecondOpinion second = new SecondOpinion(others, CATALOGUE);
            for (int i = own; i < seen.size(); i += PARTS) {
                Seen one = seen.get(i);
                if (one.file().control()) {
                    healthy++;
                    named += second.on(one.rules(), one.book(), one.words()).findings().isEmpty() ? 0 : 1;
                } else {
                    faults++;
                    ranked += others.of(one.words().counts(one.book())).stream().limit(3).map(KnownReports.Alike::cause)
                            .anyMatch(one.file().expected()::equals) ? 1 : 0;
                }
            }
        }
        assertThat(ranked).as("of %s", faults).isGreaterThan(faults * 3 / 4);
        assertThat(named).as("of %s without trouble", healthy).isLessThan(healthy / 30);
    }

    private static Diagnosis shown(Doctor doctor, String text) throws Exception {
        return doctor.diagnose(taker -> taker.take(Document.text("paste.txt", Hint.UNKNOWN, About.NOTHING, text)));
    }

    private static Doctor knowing(String... table) {
        return Doctor.of(CATALOGUE, Optional.of(new SecondOpinion(ReportTable.of(List.of(table)), CATALOGUE)));
    }

    private static final String[] TWO = {"nouveau-loaded\thttps://example.org/1\tnvidia kestrel refuses sideways",
        "none\thttps://example.org/2\tnvidia lights are green today", "none\thttps://example.org/3\tnvidia sings"};

    @Test
    void whatNoRuleKnowsIsWorthALookWithTheReportThatReadsAlike() throws Exception {
        Finding finding = shown(knowing(TWO), "my nvidia card:\nkestrel refuses sideways\nagain").findings().getFirst();

        assertThat(finding.trap().name()).isEqualTo("nouveau-loaded");
        assertThat(finding.certain()).isFalse();
        assertThat(finding.summary()).contains("No rule proves a cause", "https://example.org/1");
        assertThat(finding.evidence().getFirst().line().orElseThrow().text()).isEqualTo("kestrel refuses sideways");
    }

    @Test
    void anotherMakersCardAndGoodHealthAndALongLogAreNotGuessedAt() throws Exception {
        Doctor doctor = knowing(TWO);

        assertThat(shown(doctor, "amdgpu kestrel refuses sideways").findings()).isEmpty();
        assertThat(shown(doctor, "nvidia lights are green today").findings()).isEmpty();
        assertThat(shown(doctor, "nvidia kestrel refuses sideways\n".repeat(9_000)).findings()).isEmpty();
    }

    @Test
    void whatARuleIsCertainOfStaysAlone() throws Exception {
        String text = "modprobe: ERROR: could not insert 'nvidia': Key was rejected by service\nkestrel refuses sideways";

        assertThat(shown(knowing(TWO), text).findings()).extracting(f -> f.trap().name())
                .isEqualTo(shown(Doctor.byRulesAlone(), text).findings().stream().map(f -> f.trap().name()).toList());
    }
}
