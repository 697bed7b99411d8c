package dev.pitwall.lab.prometheus;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.prometheus.MetricStore.Sample;
import dev.pitwall.lab.prometheus.MetricStore.Series;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Prometheus' HTTP API, version 1: the parts a reader of metrics uses. */
final class PrometheusApi implements HttpHandler {
    private static final String JSON = "application/json";
    /** Prometheus refuses a query whose matrix could have more points a series. */
    private static final long MOST_POINTS = 11_000;
    private static final int BAD_DATA = 400;
    private static final int EXECUTION = 422;

    /** A refused request: HTTP status, Prometheus' error type and text. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        private final int status;

        Refused(int status, String message) {
            super(message);
            this.status = status;
        }

        String type() {
            return status == BAD_DATA ? "bad_data" : "execution";
        }
    }

    private final InstantSource clock;
    private final MetricStore store;
    private final Scraper scraper;
    private final PromQlEvaluator evaluator;
    private final ObjectMapper json = new ObjectMapper();

    PrometheusApi(InstantSource clock, MetricStore store, Scraper scraper) {
        this.clock = clock;
        this.store = store;
        this.scraper = scraper;
        this.evaluator = new PromQlEvaluator(store);
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws IOException {
        String path = exchange.getRequestPath();
        switch (path) {
            case "/-/healthy" -> Replies.text(exchange, 200, "text/plain; charset=utf-8",
                    "Prometheus Server is Healthy.\n");
            case "/-/ready" -> Replies.text(exchange, 200, "text/plain; charset=utf-8",
                    "Prometheus Server is Ready.\n");
            default -> {
                if (path.startsWith("/api/v1/")) {
                    api(exchange, path.substring("/api/v1/".length()));
                } else {
                    Replies.text(exchange, 404, "text/plain; charset=utf-8", "404 page not found\n");
                }
            }
        }
    }

    private void api(HttpServerExchange exchange, String path) throws IOException {
        ObjectNode body = json.createObjectNode();
        try {
            Parameters parameters = Parameters.of(exchange);
            if (!serve(path, parameters, body)) {
                Replies.text(exchange, 404, "text/plain; charset=utf-8", "404 page not found\n");
                return;
            }
            ObjectNode whole = json.createObjectNode().put("status", "success");
            whole.set("data", body.get("data"));
            Replies.text(exchange, 200, JSON, json.writeValueAsString(whole));
        } catch (Refused e) {
            ObjectNode whole = json.createObjectNode().put("status", "error").put("errorType", e.type())
                    .put("error", e.getMessage());
            Replies.text(exchange, e.status, JSON, json.writeValueAsString(whole));
        }
    }

    private boolean serve(String path, Parameters p, ObjectNode body) throws Refused {
        switch (path) {
            case "query" -> query(p, body);
            case "query_range" -> queryRange(p, body);
            case "series" -> series(p, body);
            case "labels" -> labelNames(p, body);
            case "targets" -> targets(body);
            case "status/buildinfo" -> body.putObject("data").put("version", "3.5.0").put("revision", "")
                    .put("branch", "HEAD").put("buildUser", "").put("buildDate", "").put("goVersion", "");
            default -> {
                if (!path.matches("label/[^/]+/values")) {
                    return false;
                }
                labelValues(path.split("/")[1], p, body);
            }
        }
        return true;
    }

    private void query(Parameters p, ObjectNode body) throws Refused {
        PromQl query = parse(p);
        long time = p.time("time", clock.instant()).toEpochMilli();
        ObjectNode data = body.putObject("data");
        switch (evaluate(query, time)) {
            case PromQlEvaluator.Result.Scalar s -> {
                data.put("resultType", "scalar");
                point(data.putArray("result"), time, s.value());
            }
            case PromQlEvaluator.Result.Vector v -> {
                ArrayNode result = data.put("resultType", "vector").putArray("result");
                v.values().forEach((labels, value) -> {
                    ObjectNode entry = result.addObject();
                    metric(entry, labels);
                    point(entry.putArray("value"), time, value);
                });
            }
            case PromQlEvaluator.Result.Matrix m ->
                    matrix(data, m.series());
        }
    }

    private void queryRange(Parameters p, ObjectNode body) throws Refused {
        PromQl query = parse(p);
        long start = p.time("start").toEpochMilli();
        long end = p.time("end").toEpochMilli();
        long step = p.duration("step");
        if (end < start) {
            throw new Refused(BAD_DATA, "invalid parameter \"end\": end timestamp must not be before start time");
        }
        if (step <= 0) {
            throw new Refused(BAD_DATA, "invalid parameter \"step\": zero or negative query resolution step widths are "
                    + "not accepted. Try a positive integer");
        }
        if ((end - start) / step > MOST_POINTS) {
            throw new Refused(BAD_DATA, "exceeded maximum resolution of 11,000 points per timeseries. Try decreasing "
                    + "the query resolution (?step=XX)");
        }
        Map<Labels, List<Sample>> columns = new LinkedHashMap<>();
        for (long t = start; t <= end; t += step) {
            long time = t;
            switch (evaluate(query, time)) {
                case PromQlEvaluator.Result.Scalar s -> columns.computeIfAbsent(Labels.NONE, l -> new ArrayList<>())
                        .add(new Sample(time, s.value()));
                case PromQlEvaluator.Result.Vector v -> v.values().forEach((labels, value) ->
                        columns.computeIfAbsent(labels, l -> new ArrayList<>()).add(new Sample(time, value)));
                case PromQlEvaluator.Result.Matrix m -> throw new Refused(BAD_DATA, "invalid parameter \"query\": "
                        + "invalid expression type \"range vector\" for range query, must be Scalar or instant Vector");
            }
        }
        List<Series> series = new ArrayList<>();
        columns.forEach((labels, samples) -> series.add(new Series(labels, samples)));
        matrix(body.putObject("data"), series);
    }

    private void matrix(ObjectNode data, List<Series> series) {
        ArrayNode result = data.put("resultType", "matrix").putArray("result");
        series.forEach(s -> {
            ObjectNode entry = result.addObject();
            metric(entry, s.labels());
            ArrayNode values = entry.putArray("values");
            s.samples().forEach(sample -> point(values.addArray(), sample.time(), sample.value()));
        });
    }

    private PromQl parse(Parameters p) throws Refused {
        try {
            return PromQlParser.parse(p.first("query"));
        } catch (PromQlException e) {
            throw new Refused(BAD_DATA, "invalid parameter \"query\": " + e.getMessage());
        }
    }

    private PromQlEvaluator.Result evaluate(PromQl query, long time) throws Refused {
        try {
            return evaluator.at(query, time);
        } catch (PromQlException e) {
            throw new Refused(EXECUTION, e.getMessage());
        }
    }

    private List<Labels> matching(Parameters p, Needed needed) throws Refused {
        List<String> selectors = p.all("match[]");
        if (selectors.isEmpty() && needed == Needed.YES) {
            throw new Refused(BAD_DATA, "no match[] parameter provided");
        }
        List<Labels> found = new ArrayList<>();
        try {
            for (String selector : selectors) {
                store.select(PromQlParser.parseSelector(selector), 0, Long.MAX_VALUE).forEach(s -> found.add(s.labels()));
            }
        } catch (PromQlException e) {
            throw new Refused(BAD_DATA, "invalid parameter \"match[]\": " + e.getMessage());
        }
        if (selectors.isEmpty()) {
            store.select(List.of(), 0, Long.MAX_VALUE).forEach(s -> found.add(s.labels()));
        }
        return found.stream().distinct().toList();
    }

    private enum Needed { YES, NO }

    private void series(Parameters p, ObjectNode body) throws Refused {
        ArrayNode data = body.putArray("data");
        matching(p, Needed.YES).forEach(labels -> {
            ObjectNode entry = data.addObject();
            labels.values().forEach(entry::put);
        });
    }

    private void labelNames(Parameters p, ObjectNode body) throws Refused {
        TreeSet<String> names = new TreeSet<>();
        matching(p, Needed.NO).forEach(labels -> names.addAll(labels.values().keySet()));
        ArrayNode data = body.putArray("data");
        names.forEach(data::add);
    }

    private void labelValues(String label, Parameters p, ObjectNode body) throws Refused {
        TreeSet<String> values = new TreeSet<>();
        matching(p, Needed.NO).stream().filter(l -> l.values().containsKey(label)).forEach(l -> values.add(l.get(label)));
        ArrayNode data = body.putArray("data");
        values.forEach(data::add);
    }

    private void targets(ObjectNode body) {
        ObjectNode data = body.putObject("data");
        ArrayNode active = data.putArray("activeTargets");
        for (ScrapeTarget target : scraper.targets()) {
            Scraper.Outcome outcome = scraper.outcome(target);
            ObjectNode entry = active.addObject();
            entry.putObject("discoveredLabels");
            ObjectNode labels = entry.putObject("labels");
            target.labels().values().forEach(labels::put);
            String url = "http://" + target.labels().get("instance") + "/metrics";
            entry.put("scrapePool", "serviceMonitor/gpu-operator/nvidia-dcgm-exporter/0").put("scrapeUrl", url)
                    .put("globalUrl", url).put("lastError", outcome.error())
                    .put("lastScrape", DateTimeFormatter.ISO_INSTANT.format(outcome.at().atOffset(ZoneOffset.UTC)))
                    .put("lastScrapeDuration", outcome.seconds()).put("health", outcome.up() ? "up" : "down")
                    .put("scrapeInterval", "15s").put("scrapeTimeout", "10s");
        }
        data.putArray("droppedTargets");
    }

    private static void metric(ObjectNode entry, Labels labels) {
        ObjectNode metric = entry.putObject("metric");
        labels.values().forEach(metric::put);
    }

    private static void point(ArrayNode pair, long millis, double value) {
        pair.add(millis % 1000 == 0 ? BigDecimal.valueOf(millis / 1000) : BigDecimal.valueOf(millis, 3)
                .stripTrailingZeros()).add(number(value));
    }

    /** As Go prints a float in its shortest form without an exponent. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        String text = new BigDecimal(Double.toString(value)).toPlainString();
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    /** The parameters of one request, from the URL and a form body. */
    private record Parameters(Map<String, List<String>> values) {
        static Parameters of(HttpServerExchange exchange) throws IOException {
            Map<String, List<String>> values = new LinkedHashMap<>();
            exchange.getQueryParameters().forEach((k, v) ->
                    values.computeIfAbsent(k, n -> new ArrayList<>()).addAll(v));
            if (exchange.getRequestMethod().toString().equals("POST")) {
                String body = new String(exchange.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                for (String pair : body.split("&")) {
                    int equals = pair.indexOf('=');
                    if (equals > 0) {
                        values.computeIfAbsent(decoded(pair.substring(0, equals)), n -> new ArrayList<>())
                                .add(decoded(pair.substring(equals + 1)));
                    }
                }
            }
            return new Parameters(values);
        }

        private static String decoded(String text) {
            return java.net.URLDecoder.decode(text, StandardCharsets.UTF_8);
        }

        List<String> all(String name) {
            return values.getOrDefault(name, List.of());
        }

        String first(String name) {
            return all(name).isEmpty() ? "" : all(name).getFirst();
        }

        Instant time(String name, Instant otherwise) throws Refused {
            return first(name).isEmpty() ? otherwise : time(name);
        }

        /** Seconds since 1970 with decimals, or RFC 3339. */
        Instant time(String name) throws Refused {
            String text = first(name);
            try {
                return text.matches("-?[\\d.]+(?:[eE]\\+?\\d+)?")
                        ? Instant.ofEpochMilli(new BigDecimal(text).movePointRight(3).longValue())
                        : DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
            } catch (DateTimeException e) {
                throw new Refused(BAD_DATA, "invalid parameter \"" + name + "\": cannot parse \"" + text
                        + "\" to a valid timestamp");
            }
        }

        long duration(String name) throws Refused {
            String text = first(name);
            if (text.matches("[\\d.]+")) {
                return new BigDecimal(text).movePointRight(3).longValue();
            }
            if (text.matches("(\\d+(ms|[smhdwy]))+")) {
                return PromQlParser.millis(text);
            }
            throw new Refused(BAD_DATA, "invalid parameter \"" + name + "\": cannot parse \"" + text
                    + "\" to a valid duration");
        }
    }
}
