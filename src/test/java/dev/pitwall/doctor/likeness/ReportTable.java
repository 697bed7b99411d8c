package dev.pitwall.doctor.likeness;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The table of known reports, as it is made from the cases. */
public final class ReportTable {

    private ReportTable() {
    }

    /** A report as a line of the table. */
    public static String line(String cause, String source, Map<String, Integer> counts) {
        return KnownReports.line(new KnownReport(cause, source, counts));
    }

    /** What the lines of a table know. */
    public static KnownReports of(List<String> lines) {
        return new KnownReports(lines.stream().map(KnownReports::read).collect(Collectors.toList()));
    }
}
