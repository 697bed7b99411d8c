package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.PciAddress;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of kernel lines that mean something; the first entry that fits a line names it. */
final class KernelLines {

    private static final String TABLE = "/read/kernel-lines.json";

    private final List<Entry> entries;

    /** @param catchAll fits what no other entry fits, so half a line must not be given to it */
    private record Entry(String what, Pattern pattern, boolean catchAll) {
    }

    /** Loads the table. */
    KernelLines() {
        try (InputStream in = KernelLines.class.getResourceAsStream(TABLE)) {
            List<Entry> list = new ArrayList<>();
            for (JsonNode node : new ObjectMapper().readTree(in)) {
                list.add(new Entry(node.get("what").asText(), Pattern.compile(node.get("pattern").asText()),
                        node.path("catchAll").asBoolean()));
            }
            entries = List.copyOf(list);
        } catch (IOException e) {
            throw new UncheckedIOException(TABLE + " is part of the jar and must be readable", e);
        }
    }

    boolean knows(String message) {
        return entries.stream().anyMatch(e -> e.pattern().matcher(message).find());
    }

    /**
     * @param message the line without its stamp
     * @return empty if the line means nothing, or if it is open and what makes it mean something may be cut
     */
    Optional<KernelLog.Event> event(Text.Line line, String message) {
        for (Entry entry : entries) {
            Matcher m = entry.pattern().matcher(message);
            if (m.find()) {
                return line.open() && (entry.catchAll() || endsInGroup(m, message)) ? Optional.empty()
                        : Optional.of(event(line, message, entry, m));
            }
        }
        return Optional.empty();
    }

    private static KernelLog.Event event(Text.Line line, String message, Entry entry, Matcher m) {
        return new KernelLog.Event(line.number(), entry.what(), group(m, "address").flatMap(PciAddress::parse),
                group(m, "number").map(Numbers::integer).orElse(OptionalInt.empty()), group(m, "value"),
                line.open() ? message + "…" : message);
    }

    private static boolean endsInGroup(Matcher m, String message) {
        for (int i = 1; i <= m.groupCount(); i++) {
            if (m.end(i) == message.length()) {
                return true;
            }
        }
        return false;
    }

    private static Optional<String> group(Matcher m, String name) {
        return m.namedGroups().containsKey(name) ? Optional.ofNullable(m.group(name)) : Optional.empty();
    }
}
