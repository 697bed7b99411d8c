package dev.pitwall.doctor.picture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Excerpt.Line;
import dev.pitwall.doctor.sign.Excerpt.Weight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Some fields of an object as {@code kubectl get -o yaml} prints them, with what they stand in and what the object is. A field
 * that is not there is a line too, since that is often what a comparison rests on.
 */
final class FieldExcerpt {
    private static final int MOST_OF_A_FIELD = 12;
    private static final String ITEM = "- ";
    /** A text that YAML would take for something else. */
    private static final Pattern OTHERWISE_NO_TEXT = Pattern.compile("true|false|null|[-+]?[0-9.]*");
    private static final List<String> IDENTITY = List.of("/kind", "/metadata/name", "/metadata/namespace");
    private final List<List<String>> wanted;
    private final List<Line> lines = new ArrayList<>();

    private FieldExcerpt(List<String> pointers) {
        this.wanted = pointers.stream().map(FieldExcerpt::steps).toList();
    }

    /** @param pointers as JSON pointers, for example {@code /spec/taints} */
    static Excerpt of(JsonNode object, String from, List<String> pointers) {
        FieldExcerpt excerpt = new FieldExcerpt(pointers);
        excerpt.fields(object, List.of(), "");
        JsonNode metadata = object.path("metadata");
        String space = metadata.path("namespace").asText("");
        return new Excerpt(from + " " + object.path("kind").asText() + " " + (space.isEmpty() ? "" : space + "/")
                + metadata.path("name").asText(), excerpt.lines);
    }

    private static List<String> steps(String pointer) {
        return Arrays.stream(pointer.substring(1).split("/")).map(s -> s.replace("~1", "/").replace("~0", "~")).toList();
    }

    private void fields(JsonNode object, List<String> at, String indent) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            List<String> here = below(at, field.getKey());
            if (isWanted(here)) {
                whole(field.getKey() + ":", field.getValue(), indent);
            } else if (IDENTITY.contains("/" + String.join("/", here))) {
                lines.add(new Line(0, indent + field.getKey() + ": " + field.getValue().asText(), Weight.AROUND));
            } else if (leads(here)) {
                lines.add(new Line(0, indent + field.getKey() + ":", Weight.AROUND));
                inside(field.getValue(), here, indent + "  ");
            } else if (here.equals(List.of("metadata"))) {
                lines.add(new Line(0, indent + "metadata:", Weight.AROUND));
                fields(field.getValue(), here, indent + "  ");
            }
        }
        wanted.stream().filter(path -> path.size() > at.size() && path.subList(0, at.size()).equals(at))
                .map(path -> path.get(at.size())).filter(name -> !object.has(name)).distinct()
                .forEach(name -> lines.add(new Line(0, indent + "# no " + name, Weight.COUNTS)));
    }

    private void inside(JsonNode value, List<String> at, String indent) {
        if (value.isObject()) {
            fields(value, at, indent);
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                List<String> here = below(at, Integer.toString(i));
                if (isWanted(here)) {
                    item(value.get(i), indent, Weight.COUNTS);
                } else if (leads(here)) {
                    lines.add(new Line(0, indent + ITEM + "name: " + value.get(i).path("name").asText(), Weight.AROUND));
                    fields(value.get(i), here, indent + "  ");
                }
            }
        } else {
            lines.add(new Line(0, indent + value.asText(), Weight.AROUND));
        }
    }

    /** All of a field, up to what can be looked through. */
    private void whole(String head, JsonNode value, String indent) {
        int before = lines.size();
        if (value.isContainerNode() && !value.isEmpty()) {
            lines.add(new Line(0, indent + head, Weight.COUNTS));
            nested(value, indent + "  ");
        } else if (value.asText().contains("\n")) {
            lines.add(new Line(0, indent + head + " |", Weight.COUNTS));
            value.asText().lines().forEach(text -> lines.add(new Line(0, indent + "  " + text, Weight.COUNTS)));
        } else {
            lines.add(new Line(0, indent + head + " " + said(value), Weight.COUNTS));
        }
        if (lines.size() - before > MOST_OF_A_FIELD) {
            lines.subList(before + MOST_OF_A_FIELD, lines.size()).clear();
            lines.add(new Line(0, indent + "  …", Weight.AROUND));
        }
    }

    private void nested(JsonNode value, String indent) {
        if (value.isArray()) {
            value.forEach(item -> item(item, indent, Weight.COUNTS));
        } else {
            value.properties().forEach(field -> whole(field.getKey() + ":", field.getValue(), indent));
        }
    }

    /** An item begins on the line of its dash. */
    private void item(JsonNode item, String indent, Weight weight) {
        if (!item.isContainerNode() || item.isEmpty()) {
            lines.add(new Line(0, indent + ITEM + said(item), weight));
            return;
        }
        int first = lines.size();
        nested(item, indent + "  ");
        String text = lines.get(first).text();
        lines.set(first, new Line(0, indent + ITEM + text.substring(indent.length() + 2), weight));
    }

    private static String said(JsonNode value) {
        String text = value.isContainerNode() ? value.toString() : value.asText();
        int end = text.indexOf('\n');
        return value.isTextual() && OTHERWISE_NO_TEXT.matcher(text).matches() ? "\"" + text + "\""
                : end < 0 ? text : text.substring(0, end) + " …";
    }

    private boolean isWanted(List<String> path) {
        return wanted.contains(path);
    }

    private boolean leads(List<String> path) {
        return wanted.stream().anyMatch(w -> w.size() > path.size() && w.subList(0, path.size()).equals(path));
    }

    private static List<String> below(List<String> at, String name) {
        List<String> here = new ArrayList<>(at);
        here.add(name);
        return here;
    }
}
