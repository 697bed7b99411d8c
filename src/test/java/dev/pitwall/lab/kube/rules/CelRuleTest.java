package dev.pitwall.lab.kube.rules;

import dev.pitwall.lab.kube.store.Json;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class CelRuleTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            self.metadata.name == 'gpu-cluster'                                           ; {"metadata":{"name":"gpu-cluster"}} ; true
            self.metadata.name == 'gpu-cluster'                                           ; {"metadata":{"name":"x"}}           ; false
            has(self.d) && self.d ? !has(self.s) || size(self.s) == 0 : true              ; {"d":true,"s":{"a":"b"}}            ; false
            has(self.d) && self.d ? !has(self.s) || size(self.s) == 0 : true              ; {"d":true}                          ; true
            self.a in ['x', 'y'] && self.n >= 2                                           ; {"a":"x","n":2}                     ; true
            self.list[0].size() + 1 == 4 && self.list[0].startsWith('a')                  ; {"list":["abc"]}                    ; true
            self.gone == 1                                                                ; {}                                  ; false
            """)
    void a_rule_that_is_understood_is_enforced(String rule, String self, boolean holds) throws IOException {
        assertThat(CelRule.parse(rule).orElseThrow().holds(json(self), Optional.empty())).hasValue(holds);
    }

    @Test
    void a_rule_about_the_old_value_counts_for_changes_only() throws IOException {
        CelRule rule = CelRule.parse("self == oldSelf").orElseThrow();
        assertThat(rule.holds(json("1"), Optional.empty())).isEmpty();
        assertThat(rule.holds(json("1"), Optional.of(json("2")))).hasValue(false);
    }

    @Test
    void a_rule_that_is_not_understood_is_not_enforced() {
        assertThat(CelRule.parse("self.items.all(i, i.name != '')")).isEmpty();
        assertThat(CelRule.parse("quantity(self.a).isLessThan(quantity('1'))")).isEmpty();
    }

    private static JsonNode json(String text) throws IOException {
        return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
