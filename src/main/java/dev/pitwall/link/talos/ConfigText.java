package dev.pitwall.link.talos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.journey.change.Tree;
import dev.pitwall.journey.change.YamlText;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The text of a machine configuration, in which single fields are set and everything else stays as it is to the byte:
 * comments, quotes, octal numbers, other documents. A tree that is written anew would alter those. Immutable.
 */
final class ConfigText {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final int STEP = 2;

    private final String text;

    /** @throws IllegalArgumentException if it is no YAML, or has no v1alpha1 document */
    ConfigText(String text) {
        this.text = text;
        main();
    }

    String text() {
        return text;
    }

    /** The same fields that the tree names, as they are; {@code null} for those that are not there. */
    JsonNode fields(JsonNode wanted) {
        try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(text)) {
            while (documents.hasNextValue()) {
                JsonNode document = documents.nextValue();
                if (isMain(document.has("kind"), document.has("machine"), document.has("version"))) {
                    return Tree.same(document, wanted);
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("not readable", e);
        }
        throw new IllegalArgumentException("no v1alpha1 document");
    }

    private static boolean isMain(boolean kind, boolean machine, boolean version) {
        return !kind && (machine || version);
    }

    /** With the fields as the tree has them; one that is {@code null} goes, and what was only there for it. */
    ConfigText with(JsonNode fields) {
        ConfigText changed = this;
        for (Leaf leaf : leaves(fields, List.of())) {
            changed = new ConfigText(leaf.value().isNull() ? changed.without(leaf.path()) : changed.having(leaf));
        }
        return changed;
    }

    private record Leaf(List<String> path, JsonNode value) {
    }

    private static List<Leaf> leaves(JsonNode tree, List<String> path) {
        List<Leaf> leaves = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : tree.properties()) {
            List<String> to = new ArrayList<>(path);
            to.add(field.getKey());
            if (field.getValue().isObject() && !field.getValue().isEmpty()) {
                leaves.addAll(leaves(field.getValue(), to));
            } else {
                leaves.add(new Leaf(List.copyOf(to), field.getValue()));
            }
        }
        return leaves;
    }

    private MappingNode main() {
        try {
            LoaderOptions options = new LoaderOptions();
            options.setCodePointLimit(Math.max(text.length() * 2, options.getCodePointLimit()));
            for (Node document : new Yaml(options).composeAll(new StringReader(text))) {
                if (document instanceof MappingNode map && isMain(entry(map, "kind").isPresent(),
                        entry(map, "machine").isPresent(), entry(map, "version").isPresent())) {
                    return map;
                }
            }
        } catch (YAMLException e) {
            throw new IllegalArgumentException("not readable", e);
        }
        throw new IllegalArgumentException("no v1alpha1 document");
    }

    private static Optional<NodeTuple> entry(MappingNode map, String key) {
        return map.getValue().stream().filter(e -> e.getKeyNode() instanceof ScalarNode name
                && name.getValue().equals(key)).findFirst();
    }

    /** Sets a value that is wanted. */
    private String having(Leaf leaf) {
        MappingNode map = main();
        for (int depth = 0; ; depth++) {
            String key = leaf.path().get(depth);
            Optional<NodeTuple> there = entry(map, key);
            boolean last = depth == leaf.path().size() - 1;
            if (there.isEmpty()) {
                return added(map, key, below(leaf, depth));
            }
            Node value = there.get().getValueNode();
            if (last || !(value instanceof MappingNode)) {
                return replaced(map, there.get(), key, below(leaf, depth));
            }
            map = (MappingNode) value;
        }
    }

    /** The value with the keys that lead to it from a depth on. */
    private static JsonNode below(Leaf leaf, int depth) {
        JsonNode value = leaf.value();
        for (String key : leaf.path().subList(depth + 1, leaf.path().size()).reversed()) {
            value = JsonNodeFactory.instance.objectNode().set(key, value);
        }
        return value;
    }

    private String added(MappingNode map, String key, JsonNode value) {
        if (isFlow(map)) {
            int at = start(map) + 1;
            return spliced(at, at, flow(key, value) + (map.getValue().isEmpty() ? "" : ", "));
        }
        int at = endOfLine(end(map));
        return spliced(at, at, "\n" + block(key, value, column(map)));
    }

    private String replaced(MappingNode map, NodeTuple entry, String key, JsonNode value) {
        int from = start(entry.getKeyNode());
        int to = end(entry.getValueNode(), entry.getKeyNode());
        return spliced(from, to, isFlow(map) ? flow(key, value) : block(key, value, column(map)).stripLeading());
    }

    /** Takes an entry out, and the entries above that held nothing else. */
    private String without(List<String> path) {
        List<MappingNode> maps = new ArrayList<>(List.of(main()));
        for (String key : path.subList(0, path.size() - 1)) {
            if (!(entry(maps.getLast(), key).map(NodeTuple::getValueNode).orElse(null) instanceof MappingNode inner)) {
                return text;
            }
            maps.add(inner);
        }
        int depth = path.size() - 1;
        if (entry(maps.get(depth), path.get(depth)).isEmpty()) {
            return text;
        }
        while (depth > 1 && maps.get(depth).getValue().size() == 1) {
            depth--;
        }
        return cut(maps.get(depth), entry(maps.get(depth), path.get(depth)).orElseThrow());
    }

    private String cut(MappingNode map, NodeTuple entry) {
        int from = start(entry.getKeyNode());
        int to = end(entry.getValueNode(), entry.getKeyNode());
        if (!isFlow(map)) {
            int line = text.lastIndexOf('\n', from - 1) + 1;
            int after = endOfLine(to);
            return spliced(line, Math.min(text.length(), after + 1), "");
        }
        int place = map.getValue().indexOf(entry);
        if (place + 1 < map.getValue().size()) {
            return spliced(from, start(map.getValue().get(place + 1).getKeyNode()), "");
        }
        return place == 0 ? spliced(from, to, "")
                : spliced(end(map.getValue().get(place - 1).getValueNode(), entry.getKeyNode()), to, "");
    }

    private String spliced(int from, int to, String with) {
        return text.substring(0, from) + with + text.substring(to);
    }

    private static String block(String key, JsonNode value, int column) {
        ObjectNode entry = JsonNodeFactory.instance.objectNode();
        entry.set(key, value);
        String lines = YamlText.of(entry).stripTrailing();
        String indent = " ".repeat(column);
        return indent + lines.replace("\n", "\n" + indent);
    }

    /** JSON is YAML's flow style. */
    private static String flow(String key, JsonNode value) {
        return JsonNodeFactory.instance.textNode(key) + ": " + value;
    }

    private static boolean isFlow(MappingNode map) {
        return map.getFlowStyle() == DumperOptions.FlowStyle.FLOW;
    }

    private static int column(MappingNode map) {
        return map.getValue().isEmpty() ? STEP : map.getValue().getFirst().getKeyNode().getStartMark().getColumn();
    }

    /** Marks count code points. */
    private int start(Node node) {
        return text.offsetByCodePoints(0, node.getStartMark().getIndex());
    }

    private int endMark(Node node) {
        return text.offsetByCodePoints(0, node.getEndMark().getIndex());
    }

    private int end(MappingNode map) {
        NodeTuple last = map.getValue().getLast();
        return end(last.getValueNode(), last.getKeyNode());
    }

    /** Where the last visible character of a value ends: the mark of a block lies behind the lines that follow it. */
    private int end(Node value, Node key) {
        if (value instanceof CollectionNode<?> list && list.getFlowStyle() == DumperOptions.FlowStyle.FLOW) {
            return endMark(value);
        }
        return switch (value) {
            case MappingNode map when !map.getValue().isEmpty() -> end(map);
            case SequenceNode list when !list.getValue().isEmpty() -> end(list.getValue().getLast(), key);
            case ScalarNode scalar when Tag.NULL.equals(scalar.getTag()) && scalar.getValue().isEmpty() ->
                    text.indexOf(':', endMark(key)) + 1;
            default -> backOverBlanks(endMark(value));
        };
    }

    private int backOverBlanks(int at) {
        int end = at;
        while (end > 0 && Character.isWhitespace(text.charAt(end - 1))) {
            end--;
        }
        return end;
    }

    private int endOfLine(int at) {
        int line = text.indexOf('\n', at);
        return line < 0 ? text.length() : line;
    }
}
