package dev.pitwall.lab.kube.agent.kyverno;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pitwall.lab.kube.agent.AgentLab;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JmesPathTest {
    private static final String ROOT = "{a: {b.c: 7, l: [{n: x, m: [1]}, {n: y, m: [2, 3]}, {m: []}]}, s: hello}";

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
            "a.\"b.c\" ~ 7", "a.l[0].n ~ \"x\"", "a.l[-1].m ~ []", "a.l[].n ~ [\"x\",\"y\"]", "a.l[*].n ~ [\"x\",\"y\"]",
            "a.l[].m[] ~ [1,2,3]", "a.l[].n | length(@) ~ 2", "length(s) ~ 5", "a.none || 'no' ~ \"no\"",
            "a.l[].n | contains(@, 'y') ~ true", "keys(a) ~ [\"b.c\",\"l\"]", "a.none.more ~ null",
            "`3` ~ 3", "a.l[].n | [0] ~ \"x\""})
    void expressionGivesWhatTheSpecificationSays(String expression, String result) {
        assertThat(JmesPath.evaluate(expression, AgentLab.yaml(ROOT)).toString()).isEqualTo(result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.", "sort_by(a.l, &n)", "a[?n=='x']", "a.l[0", "length()"})
    void expressionThatIsNotKnownIsRefused(String expression) {
        assertThatThrownBy(() -> JmesPath.evaluate(expression, AgentLab.yaml(ROOT)))
                .isInstanceOf(NotUnderstood.class);
    }
}
