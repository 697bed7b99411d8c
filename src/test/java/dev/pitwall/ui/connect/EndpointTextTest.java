package dev.pitwall.ui.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.site.Endpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTextTest {

    @Test
    void aServiceInTheClusterIsTold() {
        assertThat(EndpointText.parse("monitoring/prometheus-operated:9090"))
                .contains(new Endpoint.Service("monitoring", "prometheus-operated", 9090, "http"));
        assertThat(EndpointText.parse(" https:monitoring/prom:443 "))
                .contains(new Endpoint.Service("monitoring", "prom", 443, "https"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://prom.lan:9090", "https://prom.lan/base", "monitoring/prom:9090", "https:a/b:1"})
    void whatIsReadIsWrittenTheSame(String text) {
        assertThat(EndpointText.of(EndpointText.parse(text).orElseThrow())).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "prom.lan", "prom.lan:9090", "ftp://prom", "ns/prom", "ns/prom:0", "ns/prom:70000", "http://"})
    void everythingElseIsRefused(String text) {
        assertThat(EndpointText.parse(text)).isEmpty();
    }
}
