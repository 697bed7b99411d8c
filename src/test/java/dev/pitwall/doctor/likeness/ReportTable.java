package dev.pitwall.doctor.likeness;

import dev.pitwall.doctor.catalogue.Trap.Kind;
import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.doctor.report.TrapPage;
import dev.pitwall.doctor.sign.SignTable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The table of known reports, as it is made from the cases and the catalogue's pages. */
public final class ReportTable {
    private final List<KnownReport> reports = new ArrayList<>();

    /** The table with the pages of all causes that are a fault or a wait. */
    public static ReportTable ofPages(TrapCatalogue catalogue) {
        ReportTable table = new ReportTable();
        TrapPage page = new TrapPage(catalogue, SignTable.load().about());
        Map<String, String> texts = page.all();
        catalogue.all().stream().filter(t -> t.kind() == Kind.FAULT || t.kind() == Kind.WAITING).forEach(trap -> {
            Map<String, Integer> counts = new HashMap<>();
            texts.get(trap.name() + ".md").lines().forEach(line -> Terms.of(line, term -> counts.merge(term, 1, Integer::sum)));
            table.add(trap.name(), KnownReport.PAGE, counts);
        });
        return table;
    }

    public void add(String cause, String source, Map<String, Integer> counts) {
        reports.add(new KnownReport(cause, source, counts));
    }

    /** The lines of the file; what only one of them would have is left out. */
    public List<String> lines() {
        Map<String, Integer> inReports = new HashMap<>();
        reports.forEach(report -> report.counts().keySet().forEach(term -> inReports.merge(term, 1, Integer::sum)));
        return reports.stream().map(report -> {
            Map<String, Integer> counts = new HashMap<>(report.counts());
            counts.keySet().removeIf(term -> inReports.get(term) < 2);
            return new KnownReport(report.cause(), report.source(), counts).line();
        }).toList();
    }

    /** What the table knows. */
    public KnownReports known() {
        return new KnownReports(reports);
    }

    /** What the lines of a table know. */
    public static KnownReports of(String... lines) {
        return new KnownReports(Stream.of(lines).map(KnownReport::read).toList());
    }
}
