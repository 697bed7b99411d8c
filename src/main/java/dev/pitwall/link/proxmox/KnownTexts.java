package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.Trouble.Kind;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The texts of Proxmox VE, QEMU and the kernel that are understood, from {@code links/proxmox-errors.yaml} (facts:
 * error-texts.json).
 */
final class KnownTexts {
    private static final String FILE = "/links/proxmox-errors.yaml";

    private final List<Rule> rules = new ArrayList<>();

    private record Rule(Pattern pattern, String key, Kind kind, Severity severity) {
    }

    /** How bad it is. */
    enum Severity {
        /** As it should be, or without consequence. */
        BENIGN,
        FIXABLE,
        /** Needs a person at the machine, often a power cycle. */
        FATAL
    }

    /**
     * What a text means.
     *
     * @param key    of its sentence
     * @param values {@code "vm", "104", …} for the places of the sentence
     */
    record Known(String key, Kind kind, Severity severity, List<String> values) {
    }

    KnownTexts() {
        try (InputStream in = KnownTexts.class.getResourceAsStream(FILE)) {
            for (JsonNode rule : new YAMLMapper().readTree(in)) {
                rules.add(new Rule(Pattern.compile(rule.path("pattern").asText()), rule.path("text").asText(),
                        Kind.valueOf(rule.path("kind").asText()),
                        Severity.valueOf(rule.path("severity").asText().toUpperCase(Locale.ROOT))));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<Known> find(String text) {
        return rules.stream().flatMap(rule -> known(rule, text).stream()).findFirst();
    }

    private static Optional<Known> known(Rule rule, String text) {
        Matcher matcher = rule.pattern().matcher(text);
        if (!matcher.find()) {
            return Optional.empty();
        }
        Stream<String> groups = rule.pattern().namedGroups().keySet().stream()
                .filter(name -> matcher.group(name) != null).flatMap(name -> Stream.of(name, matcher.group(name)));
        return Optional.of(new Known(rule.key(), rule.kind(), rule.severity(),
                Stream.concat(Stream.of("said", text), groups).toList()));
    }
}
