package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.lab.data.DataFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The operands and what they have in common: {@code lab/kube/operator/operands.yaml}. */
final class OperandList {
    private final JsonNode data;
    private final List<Operand> operands;

    private OperandList(JsonNode data, List<Operand> operands) {
        this.data = data;
        this.operands = List.copyOf(operands);
    }

    static OperandList load() {
        JsonNode data = DataFile.tree("kube/operator/operands.yaml");
        List<Operand> operands = new ArrayList<>();
        data.path("operands").forEach(operand -> operands.add(new ObjectMapper().convertValue(operand, Operand.class)));
        return new OperandList(data, operands);
    }

    /** In the order of their states. */
    List<Operand> all() {
        return operands;
    }

    /** A part that several operands have: {@code toolkitWait} or {@code sharing}. */
    ObjectNode common(String name) {
        return ((ObjectNode) data.path(name)).deepCopy();
    }

    /** What an operator of a release takes where its policy names no version. */
    JsonNode versions(String operator) {
        for (JsonNode line : data.path("versions")) {
            if (operator.matches(line.path("operator").asText())) {
                return line;
            }
        }
        throw new IllegalStateException("operands.yaml has no versions for " + operator);
    }

    String text(String name, Map<String, String> values) {
        String text = data.path("texts").path(name).asText();
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("{" + value.getKey() + "}", value.getValue());
        }
        return text;
    }
}
