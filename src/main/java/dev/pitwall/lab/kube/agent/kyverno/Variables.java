package dev.pitwall.lab.kube.agent.kyverno;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.Admission;
import dev.pitwall.lab.kube.store.Json;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code {{ … }}} stands for in a rule: the request, and the element of a {@code foreach}. */
final class Variables {
    private static final Pattern VARIABLE = Pattern.compile("\\{\\{(.*?)}}", Pattern.DOTALL);

    private final ObjectNode context;

    private Variables(ObjectNode context) {
        this.context = context;
    }

    /** @param object what the rule is about: the object asked for, or the template of a pod in it */
    static Variables of(Admission.Request request, JsonNode object) {
        ObjectNode context = Json.object();
        ObjectNode asked = context.putObject("request");
        asked.put("operation", request.operation().name()).put("namespace", request.namespace())
                .put("name", request.name());
        asked.set("object", object);
        request.before().ifPresent(before -> asked.set("oldObject", before));
        asked.putObject("userInfo").put("username", request.user());
        return new Variables(context);
    }

    Variables element(JsonNode element, int index) {
        ObjectNode more = context.deepCopy();
        more.set("element", element);
        more.put("elementIndex", index);
        return new Variables(more);
    }

    JsonNode evaluate(String expression) {
        return JmesPath.evaluate(expression.strip(), context);
    }

    /** Fills every text of a tree; a text that is one variable becomes its value, whatever type that is. */
    JsonNode fill(JsonNode node) {
        if (node.isTextual()) {
            return text(node.asText());
        }
        if (node.isArray()) {
            ArrayNode filled = JsonNodeFactory.instance.arrayNode();
            node.forEach(element -> filled.add(fill(element)));
            return filled;
        }
        if (node.isObject()) {
            ObjectNode filled = Json.object();
            node.properties().forEach(field -> filled.set(JmesPath.text(text(field.getKey())), fill(field.getValue())));
            return filled;
        }
        return node;
    }

    private JsonNode text(String text) {
        Matcher variable = VARIABLE.matcher(text);
        if (variable.matches() && text.indexOf("{{", 2) < 0) {
            return evaluate(variable.group(1)).deepCopy();
        }
        String filled = variable.replaceAll(found -> Matcher.quoteReplacement(
                JmesPath.text(evaluate(found.group(1)))));
        return JsonNodeFactory.instance.textNode(filled);
    }
}
