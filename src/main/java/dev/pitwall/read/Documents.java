package dev.pitwall.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.YAMLException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Turns JSON, YAML and TOML texts into trees, as far as they go. */
final class Documents {

    private static final Pattern JSON_START = Pattern.compile("\\s*(?:\\{\\s*(?:[\"}].*)?|\\[\\s*(?:[\\[{\"\\]].*)?)");
    private static final Pattern MEMBER_START = Pattern.compile("\\s*\"[\\w./-]{1,100}\": ?[\\[{\"\\d\\-tfn].*");
    /** A last line that cannot be the first half of another value. */
    private static final Pattern CLOSED = Pattern.compile(".*(?:[\"'\\]}]|(?<=[\\s:=-])(?:true|false|null|~))\\s*");
    private static final int WARNINGS_BEFORE = 30;
    private static final int TOML_TRIES = 60;

    private final JsonFactory json = JsonFactory.builder().disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION).build();
    private final YAMLFactory yaml;
    private final TomlMapper toml = new TomlMapper();

    Documents() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(InputFile.MOST_BYTES);
        // "driver:" with nothing after it has no value; only a quoted "" is an empty text.
        yaml = YAMLFactory.builder().loaderOptions(options).enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL).build();
    }

    /** The line in which JSON begins: the first, or one after a few warnings as kubectl prints them. */
    Optional<Text.Line> jsonStart(Text text) {
        List<Text.Line> first = text.lines().stream().filter(l -> !l.blank()).limit(WARNINGS_BEFORE).toList();
        return first.stream().filter(l -> JSON_START.matcher(head(l)).matches()).findFirst()
                .or(() -> first.stream().limit(1).filter(l -> MEMBER_START.matcher(head(l)).matches()).findFirst());
    }

    private static String head(Text.Line line) {
        return line.text().length() > 300 ? line.text().substring(0, 300) : line.text();
    }

    /** @param start as found by {@link #jsonStart}; a text that begins inside an object is read as that object */
    Tree json(Text text, Text.Line start) {
        String body = "\n".repeat(start.number() - 1)
                + Text.part(text.lines().stream().filter(l -> l.number() >= start.number()).toList()).body()
                        .substring(start.number() - 1);
        boolean inside = MEMBER_START.matcher(head(start)).matches();
        try {
            Tree tree = Tree.read(json.createParser(inside ? wrapped(body, start.number()) : body));
            return inside ? fragment(tree) : tree;
        } catch (IOException e) {
            return new Tree(List.of(), Set.of(), Optional.of("line 1: it cannot be read as JSON"));
        }
    }

    private static String wrapped(String body, int line) {
        return body.substring(0, line - 1) + "{" + body.substring(line - 1);
    }

    /** The brace that was added is never closed; that alone is no cut. */
    private static Tree fragment(Tree tree) {
        Set<com.fasterxml.jackson.databind.JsonNode> open = Collections.newSetFromMap(new java.util.IdentityHashMap<>());
        open.addAll(tree.open());
        return new Tree(tree.roots(), open, Optional.of("it is a part of a JSON document; what is there was read"));
    }

    Tree yaml(Text text) {
        List<Text.Line> lines = new ArrayList<>(text.lines());
        Optional<Text.Line> dropped = dropOpenEnd(lines);
        try {
            Tree tree = Tree.read(yaml.createParser(Text.part(lines).body()));
            return dropped.map(l -> tree.stopsEarly(sentence(l))).orElse(tree);
        } catch (IOException | YAMLException e) {
            return new Tree(List.of(), Set.of(), Optional.of("line 1: it cannot be read as YAML"));
        }
    }

    /** TOML is read whole or not at all by its library, so lines are taken off the end until it can be read. */
    Tree toml(Text text) {
        List<Text.Line> lines = new ArrayList<>(text.lines());
        Optional<String> cut = dropOpenEnd(lines).map(Documents::sentence);
        for (int tries = 0; tries < TOML_TRIES && !lines.isEmpty(); tries++) {
            try {
                Tree tree = new Tree(List.of(toml.readTree(Text.part(lines).body())), Set.of(), Optional.empty());
                Optional<String> why = cut;
                return why.map(tree::stopsEarly).orElse(tree);
            } catch (JsonProcessingException e) {
                int at = e.getLocation() == null ? lines.getLast().number() : e.getLocation().getLineNr();
                cut = Optional.of("line " + at + ": it breaks here; what came before was read");
                int keep = Math.min(at - 1, lines.getLast().number() - 1);
                lines.removeIf(l -> l.number() > keep);
            }
        }
        return new Tree(List.of(), Set.of(), cut.or(() -> Optional.of("line 1: it cannot be read as TOML")));
    }

    private static Optional<Text.Line> dropOpenEnd(List<Text.Line> lines) {
        if (lines.isEmpty() || !lines.getLast().open() || CLOSED.matcher(lines.getLast().text()).matches()) {
            return Optional.empty();
        }
        return Optional.of(lines.removeLast());
    }

    private static String sentence(Text.Line line) {
        return "line " + line.number() + ": the text stops here without a line end; this line was left out";
    }
}
