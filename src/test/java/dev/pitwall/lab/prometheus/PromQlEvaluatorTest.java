package dev.pitwall.lab.prometheus;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class PromQlEvaluatorTest {
    private static final long NOW = 1_000_000_000L;

    private final MetricStore store = new MetricStore(Duration.ofHours(1));

    @BeforeEach
    void fill() {
        for (int i = 0; i <= 20; i++) {
            long time = NOW - (20 - i) * 15_000L;
            store.add(series("energy", "a"), time, i * 150.0);
            store.add(series("load", "a"), time, i);
            store.add(series("load", "b"), time, 2 * i);
        }
    }

    private static Labels series(String name, String card) {
        return new Labels(Map.of(Labels.NAME, name, "card", card));
    }

    private PromQlEvaluator.Result at(String query, long time) throws PromQlException {
        return new PromQlEvaluator(store).at(PromQlParser.parse(query), time);
    }

    private double single(String query) throws PromQlException {
        return switch (at(query, NOW)) {
            case PromQlEvaluator.Result.Scalar s -> s.value();
            case PromQlEvaluator.Result.Vector v -> {
                assertThat(v.values()).hasSize(1);
                yield v.values().values().iterator().next();
            }
            case PromQlEvaluator.Result.Matrix m -> throw new AssertionError("a matrix");
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "load{card=\"a\"} ; 20",
        "load{card=~\"b|c\"} * 2 + 1 ; 81",
        "sum(load) ; 60",
        "avg without (card) (load) ; 30",
        "count by (nothing) (load) ; 2",
        "max(load offset 1m) ; 32",
        "avg_over_time(load{card=\"a\"}[1m]) ; 18.5",
        "last_over_time(load{card=\"b\"}[5m]) ; 40",
        "rate(energy[2m]) ; 10",
        "increase(energy[2m]) ; 1200",
        "timestamp(load{card=\"a\"}) ; 1000000",
        "timestamp(load{card=\"a\"} offset 1m) ; 999940",
        "max by (card) (timestamp(load{card=\"a\"})) ; 1000000",
        "timestamp(load{card=\"a\"} + 1) ; 1000000",
        "2 ^ 3 ^ 0 * 5 - 1 ; 9",
        "-load{card=\"a\"} ; -20",
        "sum(load) by (card) > 30 ; 40",
        "load{card!=\"a\"} / load{card!=\"a\"} ; 1",
    })
    void givesWhatPrometheusGives(String query, double expected) throws PromQlException {
        assertThat(single(query)).isCloseTo(expected, within(1e-9));
    }

    @Test
    void aSeriesEndsWhereItIsMarkedStaleAndOtherwiseAfterFiveMinutes() throws PromQlException {
        store.add(series("load", "a"), NOW + 15_000, MetricStore.STALE);
        assertThat(((PromQlEvaluator.Result.Vector) at("load", NOW + 15_000)).values()).hasSize(1);
        assertThat(((PromQlEvaluator.Result.Vector) at("load", NOW + 299_000)).values()).hasSize(1);
        assertThat(((PromQlEvaluator.Result.Vector) at("load", NOW + 300_000)).values()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "load{ | unexpected end of input in label matching",
        "{card=\"\"} | at least one non-empty matcher",
        "rate(load) | expected type range vector in call to function \"rate\", got instant vector",
        "timestamp(load[1m]) | expected type instant vector",
        "load and load | set operator \"and\" is not supported",
        "load{card=~\"(\"} | error parsing regexp",
        "§ | unexpected character",
    })
    void refusesWhatItCannotRead(String query, String words) {
        assertThatThrownBy(() -> PromQlParser.parse(query)).isInstanceOf(PromQlException.class)
                .hasMessageContaining(words);
    }
}
