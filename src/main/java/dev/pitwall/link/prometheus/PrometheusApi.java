package dev.pitwall.link.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.trust.Words;
import dev.pitwall.read.PrometheusAnswer;
import dev.pitwall.read.PrometheusReader;
import okhttp3.Request;

import java.util.Optional;

/** Prometheus' query API, and what answers in its place. */
final class PrometheusApi {
    private final HttpReader http;
    private final Words words;
    private final PrometheusReader reader = new PrometheusReader();

    PrometheusApi(HttpReader http) {
        this.http = http;
        this.words = http.troubles().words();
    }

    /** An instant query. */
    PrometheusAnswer query(String promql) throws TroubleException, InterruptedException {
        HttpAnswer answer = http.send(new Request.Builder()
                .url(http.at("api/v1/query").addQueryParameter("query", promql).build()).build());
        PrometheusAnswer read = reader.read(body(answer));
        if (read.error().isPresent() || !answer.ok()) {
            throw words.failure(Kind.REMOTE, http.place(), "prometheus.error", "said",
                    read.error().orElse("HTTP " + answer.status()));
        }
        return read;
    }

    /** Its version; empty for a store that speaks the query API but is not Prometheus itself. */
    Optional<String> version() throws TroubleException, InterruptedException {
        HttpAnswer answer = http.get("api/v1/status/buildinfo");
        if (!answer.ok() && !answer.redirect() && !answer.page()) {
            return Optional.empty();
        }
        JsonNode version = body(answer).path("data").path("version");
        return version.isTextual() ? Optional.of(version.asText()) : Optional.empty();
    }

    /** The body as Prometheus' JSON; anything else is named. */
    private JsonNode body(HttpAnswer answer) throws TroubleException {
        if (grafana(answer)) {
            throw words.failure(Kind.PROTOCOL, http.place(), "prometheus.grafana");
        }
        if (answer.status() == 401 || answer.status() == 403) {
            throw words.failure(Kind.CREDENTIALS, http.place(), "prometheus.login", "status",
                    Integer.toString(answer.status()));
        }
        if (answer.status() == 503 && answer.body().contains("no endpoints available")) {
            throw words.failure(Kind.MISSING, http.place(), "prometheus.noendpoint");
        }
        if (answer.redirect() || answer.page() || answer.status() == 404 || answer.status() == 405) {
            throw words.failure(Kind.PROTOCOL, http.place(), "prometheus.foreign", "said",
                    (answer.status() + " " + answer.reason()).strip());
        }
        JsonNode body = http.json(answer);
        if (!body.path("status").isTextual()) {
            throw words.failure(Kind.PROTOCOL, http.place(), "prometheus.foreign", "said", "other JSON");
        }
        return body;
    }

    /** Grafana sends strangers from every path to its login page, and signs in with a cookie of its own name. */
    private static boolean grafana(HttpAnswer answer) {
        boolean login = answer.redirect() && answer.location().contains("/login");
        return login || answer.body().contains("Grafana") && (answer.page() || answer.status() >= 400)
                || answer.body().contains("\"messageId\":\"auth.");
    }
}
