package dev.pitwall.engine.trace;

import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.Request;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads a trace, a CSV file with at least the columns timeMs, model, promptTokens and outputTokens, line by line. Lines
 * out of order of time are put in order; the reader says so.
 */
public final class TraceReader {
    private static final List<String> COLUMNS = List.of("timeMs", "model", "promptTokens", "outputTokens");
    /** As it is written, and as it is said. */
    private static final Map<String, String> OTHER_SEPARATORS = Map.of(";", "\";\"", "\t", "a tab", "|", "\"|\"");
    private static final double MS_PER_SECOND = 1000;

    private final BadInput bad;
    private final List<ModelSpec> models;
    private final Map<String, Integer> indexes = new HashMap<>();
    private int[] columns;

    /** @param file how the file is called in a trouble */
    public TraceReader(String file, Fleet fleet) {
        this.bad = new BadInput(file, "A trace begins with the line \"" + String.join(",", COLUMNS)
                + "\"; times are milliseconds, and every model is one of the fleet.");
        this.models = fleet.models();
        models.forEach(m -> indexes.put(m.name(), indexes.size()));
    }

    /** Whether the file was in the order of time. */
    public enum Order { SORTED, PUT_IN_ORDER }

    /** A trace, in the order of time. */
    public record Trace(List<Request> requests, Order order) {
    }

    /** Reads to the end; closes nothing. */
    public Trace read(BufferedReader csv) throws TroubleException {
        try {
            header(csv.readLine());
            List<Request> requests = new ArrayList<>();
            Order order = Order.SORTED;
            long line = 2;
            for (String text = csv.readLine(); text != null; text = csv.readLine(), line++) {
                if (text.isBlank()) {
                    continue;
                }
                Request request = request(requests.size(), text, line);
                if (!requests.isEmpty() && request.at() < requests.getLast().at()) {
                    order = Order.PUT_IN_ORDER;
                }
                requests.add(request);
            }
            if (requests.isEmpty()) {
                throw bad.whole("it has no request");
            }
            if (order == Order.PUT_IN_ORDER) {
                requests.sort(Comparator.comparingDouble(Request::at));
            }
            return new Trace(List.copyOf(requests), order);
        } catch (IOException e) {
            throw bad.whole("it cannot be read as UTF-8 text");
        }
    }

    private void header(String line) throws TroubleException {
        if (line == null) {
            throw bad.whole("it is empty");
        }
        List<String> names = Arrays.stream(line.replace("\uFEFF", "").split(",", -1)).map(TraceReader::cell).toList();
        for (String column : COLUMNS) {
            if (!names.contains(column)) {
                refuseOtherSeparator(line);
                throw bad.at(1, "the column " + column + " is missing");
            }
            if (names.indexOf(column) != names.lastIndexOf(column)) {
                throw bad.at(1, "the column " + column + " is there twice");
            }
        }
        columns = COLUMNS.stream().mapToInt(names::indexOf).toArray();
    }

    /** A spreadsheet writes the separator of its country. */
    private void refuseOtherSeparator(String line) throws TroubleException {
        for (Map.Entry<String, String> other : OTHER_SEPARATORS.entrySet()) {
            if (Arrays.stream(line.split(Pattern.quote(other.getKey()), -1)).map(TraceReader::cell).filter(COLUMNS::contains)
                    .count() > 1) {
                throw bad.at(1, "the separator is " + other.getValue() + ", and a trace has commas");
            }
        }
    }

    private Request request(int id, String text, long line) throws TroubleException {
        String[] cells = text.split(",", -1);
        double ms = number(cells, 0, line);
        String name = cells(cells, 1, line);
        Integer model = indexes.get(name);
        if (model == null) {
            throw bad.at(line, name.isEmpty() ? "the model has no name" : "the fleet has no model \"" + name + "\"");
        }
        return new Request(id, model, ms / MS_PER_SECOND,
                models.get(model).serviceSeconds(number(cells, 2, line), number(cells, 3, line)));
    }

    private double number(String[] cells, int column, long line) throws TroubleException {
        String text = cells(cells, column, line);
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw bad.at(line, COLUMNS.get(column) + " \"" + text + "\" is no number");
        }
        if (!Double.isFinite(value)) {
            throw bad.at(line, COLUMNS.get(column) + " \"" + text + "\" is no finite number");
        }
        if (value < 0) {
            throw bad.at(line, COLUMNS.get(column) + " " + text + " is below zero");
        }
        if (value > BadInput.LARGEST) {
            throw bad.at(line, COLUMNS.get(column) + " " + text + " is too large");
        }
        return value;
    }

    private String cells(String[] cells, int column, long line) throws TroubleException {
        if (columns[column] >= cells.length) {
            throw bad.at(line, "the column " + COLUMNS.get(column) + " is missing");
        }
        return cell(cells[columns[column]]);
    }

    /** Without blanks and quotes around it. */
    private static String cell(String text) {
        String bare = text.strip();
        return bare.length() > 1 && bare.startsWith("\"") && bare.endsWith("\"")
                ? bare.substring(1, bare.length() - 1) : bare;
    }
}
