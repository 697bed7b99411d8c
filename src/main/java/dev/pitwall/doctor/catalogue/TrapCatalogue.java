package dev.pitwall.doctor.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.doctor.catalogue.Trap.Against;
import dev.pitwall.doctor.catalogue.Trap.Clause;
import dev.pitwall.doctor.catalogue.Trap.Fix;
import dev.pitwall.doctor.catalogue.Trap.Kind;
import dev.pitwall.doctor.catalogue.Trap.LookAlike;
import dev.pitwall.doctor.catalogue.Trap.Remedy;
import dev.pitwall.doctor.catalogue.Trap.Same;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The named causes Pitwall can tell apart, one file of {@code resources/traps} a layer. An entry has {@code trap},
 * {@code kind} (fault unless it says otherwise), {@code title}, {@code says}, {@code means}, {@code mistaken-for} (list of
 * {@code trap}, {@code differs}), {@code evidence} (list of {@code all}, {@code any}, {@code none}, {@code weight},
 * {@code same}), {@code against} (list of {@code any}, {@code weight}, {@code because}), {@code explains}, {@code fix}
 * ({@code summary}, {@code steps}, and {@code step} with {@code choices}, {@code cure}, or {@code by-hand}), {@code normal} (an ISO 8601
 * duration), {@code next} and {@code sources}. Signs are named as {@link SignRef} says.
 */
public final class TrapCatalogue {
    /** What only a live site shows, and the causes that a bare symptom leaves open. */
    private static final List<String> LAID_OVER = List.of("/doctor/live.yaml", "/doctor/candidates.yaml");
    private static final String GUARDS = "/doctor/guards.yaml";

    private final Map<String, Trap> traps;
    private final List<String> beginnings;

    private TrapCatalogue(Map<String, Trap> traps, List<String> beginnings) {
        this.traps = traps;
        this.beginnings = List.copyOf(beginnings);
    }

    /** Reads the catalogue that is part of the jar. */
    public static TrapCatalogue load() {
        Map<String, List<JsonNode>> laid = new HashMap<>();
        LAID_OVER.forEach(file -> read(file).forEach(entry -> laid.computeIfAbsent(entry.path("trap").asText(),
                name -> new ArrayList<>()).add(entry)));
        JsonNode guards = read(GUARDS);
        return of(floor -> {
            JsonNode entries = read("/traps/" + floor.wireName() + ".yaml");
            entries.forEach(entry -> {
                laid.getOrDefault(entry.path("trap").asText(), List.of()).forEach(more -> lay((ObjectNode) entry, more));
                guards.forEach(guard -> guard(floor, (ObjectNode) entry, guard));
            });
            return entries;
        }, texts(read("/doctor/next.yaml")));
    }

    /** What rules out every cause of a layer, or several causes, whatever speaks for it, is said once and not in each of them. */
    private static void guard(TrapFloor floor, ObjectNode entry, JsonNode guard) {
        boolean meant = texts(guard.path("floors")).contains(floor.wireName())
                || texts(guard.path("traps")).contains(entry.path("trap").asText());
        if (meant && entry.path("kind").asText("fault").equals("fault")) {
            entry.withArrayProperty("against").add(guard);
        }
    }

    /** What only a live site shows stands in a file of its own, with the causes that it speaks for and against. */
    private static void lay(ObjectNode entry, JsonNode more) {
        for (String part : List.of("evidence", "against")) {
            more.path(part).forEach(clause -> entry.withArrayProperty(part).add(clause));
        }
    }

    /**
     * @param files      the entries of each layer
     * @param beginnings as {@link #beginnings}
     */
    public static TrapCatalogue of(Function<TrapFloor, JsonNode> files, List<String> beginnings) {
        Map<String, Trap> traps = new LinkedHashMap<>();
        for (TrapFloor floor : TrapFloor.values()) {
            for (JsonNode entry : files.apply(floor)) {
                Trap trap = trap(entry, floor);
                if (traps.put(trap.name(), trap) != null) {
                    throw new IllegalArgumentException("the catalogue has " + trap.name() + " twice");
                }
            }
        }
        return new TrapCatalogue(traps, beginnings);
    }

    private static JsonNode read(String resource) {
        try (InputStream in = TrapCatalogue.class.getResourceAsStream(resource)) {
            return new YAMLMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(resource + " is part of the jar and must be readable", e);
        }
    }

    private static Trap trap(JsonNode entry, TrapFloor floor) {
        String name = entry.path("trap").asText();
        try {
            return new Trap(name, floor, Kind.valueOf(entry.path("kind").asText("fault").toUpperCase(Locale.ROOT)),
                    entry.path("title").asText(), entry.path("says").asText(), entry.path("means").asText(),
                    entry.path("mistaken-for").valueStream().map(m -> new LookAlike(m.path("trap").asText(),
                            m.path("differs").asText())).toList(),
                    entry.path("evidence").valueStream().map(TrapCatalogue::clause).toList(),
                    entry.path("against").valueStream().map(a -> new Against(refs(a.path("any")),
                            a.path("weight").asDouble(1), a.path("because").asText())).toList(),
                    texts(entry.path("explains")), fix(entry.path("fix")),
                    Optional.ofNullable(entry.get("normal")).map(n -> Duration.parse(n.asText())),
                    entry.path("next").asText(""), texts(entry.path("sources")));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("trap " + name + " of " + floor.wireName() + ": " + e.getMessage(), e);
        }
    }

    private static Clause clause(JsonNode entry) {
        return new Clause(refs(entry.path("all")), refs(entry.path("any")), refs(entry.path("none")),
                entry.path("weight").asDouble(), Same.valueOf(entry.path("same").asText("anything").toUpperCase(Locale.ROOT)));
    }

    private static List<SignRef> refs(JsonNode list) {
        return list.valueStream().map(ref -> SignRef.of(ref.asText())).toList();
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    private static Fix fix(JsonNode entry) {
        Optional<Remedy> remedy = Optional.empty();
        if (entry.has("step")) {
            Map<String, String> choices = new LinkedHashMap<>();
            entry.path("choices").properties().forEach(c -> choices.put(c.getKey(), c.getValue().asText()));
            remedy = Optional.of(new Remedy.WizardStep(entry.path("step").asText(), choices));
        } else if (entry.has("cure")) {
            remedy = Optional.of(new Remedy.Cure(entry.path("cure").asText()));
        } else if (entry.has("by-hand")) {
            remedy = Optional.of(new Remedy.ByHand(entry.path("by-hand").asText()));
        }
        return new Fix(entry.path("summary").asText(), texts(entry.path("steps")), remedy);
    }

    /** Every trap, from the lowest layer up. */
    public List<Trap> all() {
        return new ArrayList<>(traps.values());
    }

    /** What to look at first where evidence tells of no card at all, each with its command. */
    public List<String> beginnings() {
        return beginnings;
    }

    /** @return empty if the catalogue has no such name */
    public Optional<Trap> named(String name) {
        return Optional.ofNullable(traps.get(name));
    }

    /** Every reference to a sign, for the test that each of them can be given. */
    public Stream<SignRef> references() {
        return traps.values().stream().flatMap(trap -> Stream.concat(
                trap.proofs().stream().flatMap(c -> Stream.of(c.all(), c.any(), c.none()).flatMap(List::stream)),
                trap.against().stream().flatMap(a -> a.any().stream())));
    }
}
