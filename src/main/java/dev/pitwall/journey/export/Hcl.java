package dev.pitwall.journey.export;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes Terraform's language in the form that {@code terraform fmt} gives it: equal signs of neighbours in one column.
 */
final class Hcl {
    private final List<String> lines = new ArrayList<>();
    private final Map<String, String> waiting = new LinkedHashMap<>();
    private int depth;

    Hcl open(String head) {
        flush();
        lines.add(indent() + head + " {");
        depth++;
        return this;
    }

    Hcl close() {
        flush();
        depth--;
        lines.add(indent() + "}");
        return this;
    }

    /** @param expression as it stands in the file, quoted if it is a text */
    Hcl set(String name, String expression) {
        waiting.put(name, expression);
        return this;
    }

    Hcl text(String name, String value) {
        return set(name, quote(value));
    }

    /** A list of objects. */
    Hcl objects(String name, List<Map<String, String>> objects) {
        flush();
        lines.add(indent() + name + " = [");
        depth++;
        for (Map<String, String> object : objects) {
            lines.add(indent() + "{");
            depth++;
            waiting.putAll(object);
            flush();
            depth--;
            lines.add(indent() + "},");
        }
        depth--;
        lines.add(indent() + "]");
        return this;
    }

    /** A list of references, one a line. */
    Hcl list(String name, List<String> references) {
        flush();
        lines.add(indent() + name + " = [");
        references.forEach(reference -> lines.add(indent() + "  " + reference + ","));
        lines.add(indent() + "]");
        return this;
    }

    Hcl comment(String text) {
        flush();
        lines.add(indent() + ShellText.comment(text));
        return this;
    }

    Hcl blank() {
        flush();
        lines.add("");
        return this;
    }

    private void flush() {
        int widest = waiting.keySet().stream().mapToInt(String::length).max().orElse(0);
        waiting.forEach((name, expression) -> lines.add(indent() + name + " ".repeat(widest - name.length()) + " = "
                + expression));
        waiting.clear();
    }

    private String indent() {
        return "  ".repeat(depth);
    }

    static String quote(String value) {
        return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
                .replace("${", "$${").replace("%{", "%%{") + "\"";
    }

    @Override
    public String toString() {
        flush();
        return String.join("\n", lines) + "\n";
    }
}
