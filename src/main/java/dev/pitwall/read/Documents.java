package dev.pitwall.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.YAMLException;

import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
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
        List<Text.Line> first = text.first(WARNINGS_BEFORE);
        return first.stream().filter(l -> JSON_START.matcher(head(l)).matches()).findFirst()
                .or(() -> first.stream().limit(1).filter(l -> MEMBER_START.matcher(head(l)).matches()).findFirst());
    }

    private static String head(Text.Line line) {
        return line.text().length() > 300 ? line.text().substring(0, 300) : line.text();
    }

    /** @param start as found by {@link #jsonStart}; a text that begins inside an object is read as that object */
    Tree json(Text text, Text.Line start) {
        String body = text.between(start.number(), Integer.MAX_VALUE).body();
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
        Set<JsonNode> open = Collections.newSetFromMap(new IdentityHashMap<>());
        open.addAll(tree.open());
        return new Tree(tree.roots(), open, Optional.of("it is a part of a JSON document; what is there was read"));
    }

    Tree yaml(Text text) {
        Optional<Text.Line> dropped = openEnd(text);
        Text kept = dropped.map(l -> text.between(1, l.number())).orElse(text);
        try {
            Tree tree = Tree.read(yaml.createParser(kept.body()));
            return dropped.map(l -> tree.stopsEarly(sentence(l))).orElse(tree);
        } catch (IOException | YAMLException e) {
            return new Tree(List.of(), Set.of(), Optional.of("line 1: it cannot be read as YAML"));
        }
    }

    /** TOML is read whole or not at all by its library, so lines are taken off the end until it can be read. */
    Tree toml(Text text) {
        Optional<Text.Line> dropped = openEnd(text);
        Optional<String> cut = dropped.map(Documents::sentence);
        Text kept = dropped.map(l -> text.between(1, l.number())).orElse(text);
        for (int tries = 0; tries < TOML_TRIES && !kept.lines().isEmpty(); tries++) {
            try {
                Tree tree = new Tree(List.of(toml.readTree(kept.body())), Set.of(), Optional.empty());
                return cut.map(tree::stopsEarly).orElse(tree);
            } catch (JsonProcessingException e) {
                int last = kept.lines().getLast().number();
                int at = e.getLocation() == null ? last : e.getLocation().getLineNr();
                cut = Optional.of("line " + at + ": it breaks here; what came before was read");
                kept = kept.between(1, Math.min(at, last));
            }
        }
        return new Tree(List.of(), Set.of(), cut.or(() -> Optional.of("line 1: it cannot be read as TOML")));
    }

    /** The last line, if it may be cut and its value with it. */
    private static Optional<Text.Line> openEnd(Text text) {
        return Optional.of(text).filter(Text::open).map(t -> t.lines().getLast())
                .filter(l -> !CLOSED.matcher(l.text()).matches());
    }

    private static String sentence(Text.Line line) {
        return "line " + line.number() + ": the text stops here without a line end; this line was left out";
    }
}
