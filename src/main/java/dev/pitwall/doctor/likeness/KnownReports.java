package dev.pitwall.doctor.likeness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Ranks causes by how much a text reads like the public reports that had them, and like the catalogue's own pages of them:
 * ridge regression over terms weighted by how rare they are (sublinear tf-idf: C. Manning, P. Raghavan, H. Schütze:
 * Introduction to Information Retrieval, 2008, section 6.4.1). It knows nothing but words, so that it ranks what is worth a
 * look and proves nothing. Immutable.
 */
public final class KnownReports {
    private static final String FILE = "/doctor/reports.tsv";
    /** A term of one report alone says nothing of others; it is often a name. */
    private static final int LEAST_REPORTS = 2;

    private final List<KnownReport> reports;
    private final Map<String, Integer> columns = new HashMap<>();
    private final double[] rarity;
    private final List<String> causes;
    private final List<Sparse> rows;
    private final Ridge ridge;

    /**
     * What the reports say of a text.
     *
     * @param trouble near 1 for a text that reads like trouble of a card, near −1 for one that reads like none
     * @param alike   causes, what speaks for most first
     */
    public record Opinion(double trouble, List<Alike> alike) {
        public Opinion {
            alike = List.copyOf(alike);
        }
    }

    /**
     * A cause and how much speaks for it.
     *
     * @param score near 1 for a text that reads like the reports of it, near −1 for one that does not
     */
    public record Alike(String cause, double score) {
    }

    KnownReports(List<KnownReport> reports) {
        this.reports = List.copyOf(reports);
        this.rarity = rarity();
        this.rows = reports.stream().map(report -> row(report.counts())).toList();
        this.causes = reports.stream().map(KnownReport::cause).filter(c -> !c.equals(KnownReport.HEALTHY)).distinct().sorted().toList();
        this.ridge = new Ridge(rows, rarity.length, reports.stream().map(this::targets).toArray(double[][]::new));
    }

    /** The reports that are part of the jar. Takes about half a second. */
    public static KnownReports load() {
        try (InputStream in = KnownReports.class.getResourceAsStream(FILE);
             BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            List<KnownReport> reports = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reports.add(KnownReport.read(line));
            }
            return new KnownReports(reports);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives each term that is worth one a column, and says by column how rare it is. */
    private double[] rarity() {
        Map<String, Integer> inReports = new TreeMap<>();
        reports.forEach(report -> report.counts().keySet().forEach(term -> inReports.merge(term, 1, Integer::sum)));
        inReports.values().removeIf(number -> number < LEAST_REPORTS);
        inReports.keySet().forEach(term -> columns.put(term, columns.size()));
        return inReports.values().stream().mapToDouble(n -> Math.log((1.0 + reports.size()) / (1.0 + n)) + 1).toArray();
    }

    private Sparse row(Map<String, Integer> counts) {
        Map<Integer, Double> row = new HashMap<>();
        counts.forEach((term, count) -> {
            Integer column = columns.get(term);
            if (column != null) {
                row.put(column, (1 + Math.log(count)) * rarity[column]);
            }
        });
        return Sparse.ofLengthOne(row);
    }

    /** By cause, and last of all whether there is trouble; a page of the catalogue is no report and says nothing of that. */
    private double[] targets(KnownReport report) {
        double[] targets = new double[causes.size() + 1];
        for (int i = 0; i < causes.size(); i++) {
            targets[i] = causes.get(i).equals(report.cause()) ? 1 : -1;
        }
        targets[causes.size()] = report.isPage() ? 0 : report.cause().equals(KnownReport.HEALTHY) ? -1 : 1;
        return targets;
    }

    /** What reads like a text with these terms. */
    public Opinion of(Map<String, Integer> counts) {
        double[] said = ridge.of(row(counts));
        return new Opinion(said[causes.size()], IntStream.range(0, causes.size()).mapToObj(i -> new Alike(causes.get(i), said[i]))
                .sorted(Comparator.comparingDouble(Alike::score).reversed()).toList());
    }

    /** By term: how much it speaks for a cause; terms that no report has are not in it. */
    Map<String, Double> speakingFor(String cause) {
        double[] weights = ridge.weights(causes.indexOf(cause));
        Map<String, Double> speaking = new HashMap<>();
        columns.forEach((term, column) -> speaking.put(term, weights[column] * rarity[column]));
        return speaking;
    }

    /** Address of the report with a cause that is most alike; empty if none has it and an address. */
    public String nearest(String cause, Map<String, Integer> counts) {
        double[] row = row(counts).dense(rarity.length);
        return IntStream.range(0, rows.size()).filter(i -> reports.get(i).cause().equals(cause)
                && reports.get(i).source().startsWith("http")).boxed()
                .max(Comparator.comparingDouble(i -> rows.get(i).dot(row))).map(i -> reports.get(i).source()).orElse("");
    }
}
