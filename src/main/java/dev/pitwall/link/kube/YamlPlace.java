package dev.pitwall.link.kube;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A value in a YAML file together with its line, so that a complaint can name the place. Nothing is constructed from
 * the file: only scalars, lists and mappings are looked at, so tags and aliases in it do no harm.
 *
 * @param node the composed node
 */
record YamlPlace(Node node) {

    /** One-based line where the value starts. */
    int line() {
        return node.getStartMark().getLine() + 1;
    }

    boolean mapping() {
        return node instanceof MappingNode;
    }

    /** The value under a key of a mapping; a null value counts as absent, as in Go. */
    Optional<YamlPlace> at(String key) {
        if (!(node instanceof MappingNode map)) {
            return Optional.empty();
        }
        for (NodeTuple entry : map.getValue()) {
            if (entry.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key)
                    && !Tag.NULL.equals(entry.getValueNode().getTag())) {
                return Optional.of(new YamlPlace(entry.getValueNode()));
            }
        }
        return Optional.empty();
    }

    /** The scalar under a key; empty text counts as absent, as in Go. */
    Optional<String> text(String key) {
        return at(key).flatMap(YamlPlace::scalar).filter(text -> !text.isEmpty());
    }

    boolean flag(String key) {
        return text(key).filter(text -> text.equalsIgnoreCase("true")).isPresent();
    }

    Optional<String> scalar() {
        return node instanceof ScalarNode scalar ? Optional.of(scalar.getValue()) : Optional.empty();
    }

    /** The entries of the list under a key; nothing if there is no list. */
    List<YamlPlace> list(String key) {
        return at(key).map(YamlPlace::entries).orElse(List.of());
    }

    List<String> texts(String key) {
        return list(key).stream().flatMap(entry -> entry.scalar().stream()).toList();
    }

    private List<YamlPlace> entries() {
        List<YamlPlace> entries = new ArrayList<>();
        if (node instanceof SequenceNode sequence) {
            sequence.getValue().forEach(entry -> entries.add(new YamlPlace(entry)));
        }
        return entries;
    }
}
