package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static dev.pitwall.journey.operator.PaperCluster.yaml;
import static org.assertj.core.api.Assertions.assertThat;

class CustomRulesTest {
    private static final JsonNode SCHEMA = yaml("""
            {type: object, properties: {probed: {type: string}, kept: {type: string, nullable: true}, given: {type: string, default: x}}}""");

    @Test
    void aNullThatTheSchemaDoesNotAllowIsDroppedOrGivenItsDefault() {
        JsonNode object = yaml("{probed: null, kept: null, given: null}");

        CustomRules.fill(object, SCHEMA);

        assertThat(object).isEqualTo(yaml("{kept: null, given: x}"));
        assertThat(CustomRules.check(object, Optional.empty(), SCHEMA)).isEmpty();
    }
}
