package dev.pitwall.doctor.sign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.re2j.Pattern;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The wordings that mean something, from {@code resources/doctor/signs}, and the names by which components of the stack
 * are known. Expressions are RE2's, which take time in proportion to the line whatever the line is.
 *
 * <p>An entry of a file of signs: {@code sign} its id; {@code about} what it says, for people; {@code lines} the
 * expressions, found anywhere and in any case, whose named groups {@code (?P<name>…)} become values; {@code unless} an
 * expression that the line must not have; {@code except} one that the words found must not have, where a line may have
 * the wording several times; {@code in} hints that the document must have one of; {@code component} what it
 * is about whatever the line says; {@code check} instead of lines, for a sign that a check gives: its class;
 * {@code read-by} the check that compares it with others, for one that no rule asks for itself;
 * {@code titles} expressions that are looked for in the names of documents, where people write when an output was taken.
 */
public final class SignTable {
    private static final String FOLDER = "/doctor/signs/";
    private static final List<String> FILES = List.of("host", "driver", "node", "cluster", "workload", "live");
    private final List<LinePattern> patterns;
    private final List<LinePattern> titles;
    private final List<Component> components;
    private final Map<String, String> about;
    private final Set<String> readByChecks;
    private final GramFilter filter;

    /** @param pattern of names of its pods, containers and services */
    record Component(String id, Pattern pattern) {
    }

    private SignTable(List<LinePattern> patterns, List<LinePattern> titles, List<Component> components,
                      Map<String, String> about, Set<String> readByChecks) {
        this.patterns = List.copyOf(patterns);
        this.titles = List.copyOf(titles);
        this.components = List.copyOf(components);
        this.about = Map.copyOf(about);
        this.readByChecks = Set.copyOf(readByChecks);
        this.filter = new GramFilter(Stream.concat(this.patterns.stream().map(p -> p.pattern().pattern()),
                this.components.stream().map(c -> c.pattern().pattern())).toList());
    }

    /** Reads the table that is part of the jar. */
    public static SignTable load() {
        List<LinePattern> patterns = new ArrayList<>();
        List<LinePattern> titles = new ArrayList<>();
        Map<String, String> about = new LinkedHashMap<>();
        Set<String> readByChecks = new LinkedHashSet<>();
        for (String file : FILES) {
            for (JsonNode entry : read(FOLDER + file + ".yaml")) {
                about.put(entry.path("sign").asText(), entry.path("about").asText());
                patterns.addAll(patterns(entry, entry.path("lines"), file));
                titles.addAll(patterns(entry, entry.path("titles"), file));
                if (entry.has("read-by")) {
                    readByChecks.add(entry.path("sign").asText());
                }
            }
        }
        List<Component> components = new ArrayList<>();
        read("/doctor/components.yaml").forEach(entry -> entry.path("names").forEach(name -> components.add(
                new Component(entry.path("component").asText(), compile(name.asText(), "components")))));
        return new SignTable(patterns, titles, components, about, readByChecks);
    }

    private static List<LinePattern> patterns(JsonNode entry, JsonNode expressions, String file) {
        String sign = entry.path("sign").asText();
        String place = file + ", sign " + sign;
        if (sign.isEmpty() || !entry.has("lines") && !entry.has("check") && !entry.has("titles")) {
            throw new IllegalArgumentException(place + ": an entry has a sign and lines, titles or a check");
        }
        Optional<Pattern> unless = Optional.ofNullable(entry.get("unless")).map(u -> compile(u.asText(), place));
        Optional<Pattern> except = Optional.ofNullable(entry.get("except")).map(e -> compile(e.asText(), place));
        Set<Hint> hints = entry.path("in").valueStream().map(h -> Hint.named(h.asText())).collect(Collectors.toSet());
        return expressions.valueStream().map(line -> new LinePattern(sign, compile(line.asText(), place), unless,
                except, hints, entry.path("component").asText(""))).toList();
    }

    private static Pattern compile(String regex, String place) {
        try {
            return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(place + ": \"" + regex + "\": " + e.getMessage(), e);
        }
    }

    private static JsonNode read(String resource) {
        try (InputStream in = SignTable.class.getResourceAsStream(resource)) {
            return new YAMLMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(resource + " is part of the jar and must be readable", e);
        }
    }

    List<LinePattern> patterns() {
        return patterns;
    }

    /** Expressions for the names of documents. */
    List<LinePattern> titles() {
        return titles;
    }

    /** Which patterns, and after them which components, a line can match at all; nothing in it changes, so that all may ask it. */
    GramFilter filter() {
        return filter;
    }

    List<Component> components() {
        return components;
    }

    /** What each sign says, in words for people, by its id. */
    public Map<String, String> about() {
        return about;
    }

    /** Every sign that a line or a check can give. */
    public Set<String> ids() {
        return about.keySet();
    }

    /** Signs that only checks read, and no rule asks for. */
    public Set<String> readByChecks() {
        return readByChecks;
    }

    /** The component whose name a text has; empty text for none. */
    public String component(String text) {
        return components.stream().filter(c -> c.pattern().matcher(text).find()).map(Component::id).findFirst()
                .orElse("");
    }
}
