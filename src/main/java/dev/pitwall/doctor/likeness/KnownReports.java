package dev.pitwall.doctor.likeness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Ranks causes by how much a text reads like the public reports that had them: complement naive Bayes over words weighted
 * by how rare they are (J. Rennie, L. Shih, J. Teevan, D. Karger: Tackling the Poor Assumptions of Naive Bayes Text
 * Classifiers, ICML 2003, section 3.1 and 4). It knows nothing but words, so that it ranks what is worth a look and proves
 * nothing. Immutable.
 */
public final class KnownReports {
    private static final String FILE = "/doctor/reports.tsv";
    /** Keeps a word that a cause never had from ruling it out. */
    private static final double SMOOTHING = 0.3;

    private final List<KnownReport> reports;
    private final Map<String, Integer> columns = new HashMap<>();
    private final double[] rarity;
    private final List<String> causes;
    /** By cause and column: how much a word speaks for the cause. */
    private final double[][] weights;
    private final List<Map<Integer, Double>> rows;

    /**
     * A cause and how much speaks for it.
     *
     * @param margin over "no trouble of a card"; above 0 the cause reads likelier than that
     */
    public record Alike(String cause, double margin) {
    }

    KnownReports(List<KnownReport> reports) {
        this.reports = List.copyOf(reports);
        int[] inReports = frequencies();
        this.rarity = Arrays.stream(inReports).mapToDouble(n -> Math.log((1.0 + reports.size()) / (1.0 + n)) + 1).toArray();
        this.rows = reports.stream().map(report -> row(report.counts())).toList();
        this.causes = reports.stream().map(KnownReport::cause).distinct().sorted().toList();
        this.weights = weigh();
    }

    /** The reports that are part of the jar. */
    public static KnownReports load() {
        try (InputStream in = KnownReports.class.getResourceAsStream(FILE);
             BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            List<KnownReport> reports = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reports.add(read(line));
            }
            return new KnownReports(reports);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static KnownReport read(String line) {
        String[] parts = line.split("\t");
        Map<String, Integer> counts = new HashMap<>();
        for (String word : parts[2].split(" ")) {
            int colon = word.lastIndexOf(':');
            counts.put(colon < 0 ? word : word.substring(0, colon), colon < 0 ? 1 : Integer.parseInt(word.substring(colon + 1)));
        }
        return new KnownReport(parts[0], parts[1], counts);
    }

    /** A report as a line of the table. */
    static String line(KnownReport report) {
        StringBuilder line = new StringBuilder(report.cause()).append('\t').append(report.source()).append('\t');
        new TreeMap<>(report.counts()).forEach((word, count) -> line.append(word)
                .append(count > 1 ? ":" + count : "").append(' '));
        return line.toString().strip();
    }

    private int[] frequencies() {
        Map<Integer, Integer> frequencies = new TreeMap<>();
        for (KnownReport report : reports) {
            report.counts().keySet().stream().sorted().forEach(word -> frequencies.merge(
                    columns.computeIfAbsent(word, w -> columns.size()), 1, Integer::sum));
        }
        return frequencies.values().stream().mapToInt(Integer::intValue).toArray();
    }

    /** Words by column, weighted by rarity, of length 1; words that no report has are left out. */
    private Map<Integer, Double> row(Map<String, Integer> counts) {
        Map<Integer, Double> row = new TreeMap<>();
        counts.forEach((word, count) -> Optional.ofNullable(columns.get(word))
                .ifPresent(column -> row.put(column, (1 + Math.log(count)) * rarity[column])));
        double length = Math.sqrt(row.values().stream().mapToDouble(v -> v * v).sum());
        row.replaceAll((column, value) -> value / length);
        return row;
    }

    private double[][] weigh() {
        int width = rarity.length;
        double[] all = new double[width];
        double[][] sums = new double[causes.size()][width];
        for (int i = 0; i < rows.size(); i++) {
            double[] own = sums[causes.indexOf(reports.get(i).cause())];
            rows.get(i).forEach((column, value) -> {
                own[column] += value;
                all[column] += value;
            });
        }
        for (double[] cause : sums) {
            double others = 0;
            for (int column = 0; column < width; column++) {
                cause[column] = all[column] - cause[column] + SMOOTHING;
                others += cause[column];
            }
            for (int column = 0; column < width; column++) {
                cause[column] = Math.log(others / cause[column]);
            }
        }
        return sums;
    }

    /** The causes of reports, what speaks for most first; without the healthy ones. */
    public List<Alike> of(Map<String, Integer> counts) {
        Map<Integer, Double> row = row(counts);
        Map<String, Double> scores = new LinkedHashMap<>();
        for (int i = 0; i < causes.size(); i++) {
            scores.put(causes.get(i), dot(row, weights[i]));
        }
        double healthy = scores.getOrDefault(KnownReport.HEALTHY, 0.0);
        scores.remove(KnownReport.HEALTHY);
        return scores.entrySet().stream().sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .map(e -> new Alike(e.getKey(), e.getValue() - healthy)).toList();
    }

    /** How much a word speaks for a cause more than for good health; 0 for one that no report has. */
    double weight(String cause, String word) {
        Integer column = columns.get(word);
        int healthy = causes.indexOf(KnownReport.HEALTHY);
        return column == null ? 0 : weights[causes.indexOf(cause)][column] - (healthy < 0 ? 0 : weights[healthy][column]);
    }

    /** Address of the report with a cause that is most alike; empty if none has it and an address. */
    public String nearest(String cause, Map<String, Integer> counts) {
        Map<Integer, Double> row = row(counts);
        return IntStream.range(0, rows.size()).filter(i -> reports.get(i).cause().equals(cause)
                && reports.get(i).source().startsWith("http")).boxed()
                .max(Comparator.comparingDouble(i -> dot(row, rows.get(i)))).map(i -> reports.get(i).source()).orElse("");
    }

    private static double dot(Map<Integer, Double> row, double[] weights) {
        return row.entrySet().stream().mapToDouble(e -> e.getValue() * weights[e.getKey()]).sum();
    }

    private static double dot(Map<Integer, Double> one, Map<Integer, Double> other) {
        return one.entrySet().stream().mapToDouble(e -> e.getValue() * other.getOrDefault(e.getKey(), 0.0)).sum();
    }
}
