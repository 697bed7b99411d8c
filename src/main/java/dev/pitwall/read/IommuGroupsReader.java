package dev.pitwall.read;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the listings of the usual scripts: a head line a group ({@code IOMMU Group 2:}, {@code IOMMU group 7},
 * {@code Group 15:}), everything in one line a device, and the paths of {@code find /sys/kernel/iommu_groups -type l}.
 */
public final class IommuGroupsReader {

    private static final Pattern HEAD = Pattern.compile("\\s*(?:IOMMU\\s+)?[Gg]roup[ :]\\s*(\\d{1,6})\\b(:?)(.*)");
    private static final Pattern PATH = Pattern.compile(
            ".*/iommu_groups/(\\d{1,6})/devices/((?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[01][0-9a-fA-F]\\.[0-7])(?![0-9a-fA-F]).*");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        long heads = text.hits(t -> head(t) || PATH.matcher(t).matches());
        return heads == 0 ? 0
                : 0.35 + 0.65 * text.share(t -> head(t) || PATH.matcher(t).matches() || PciLine.looksLike(t.strip()));
    }

    private static boolean head(String text) {
        Matcher m = HEAD.matcher(text);
        return m.matches() && (m.group(3).isBlank() || PciLine.looksLike(m.group(3).strip()));
    }

    /** Reads as far as it goes; never throws. */
    public IommuGroups read(Text text) {
        Notes notes = new Notes();
        Map<Integer, List<PciFunction>> groups = new LinkedHashMap<>();
        OptionalInt current = OptionalInt.empty();
        for (Text.Line line : text.filled(notes::add)) {
            Matcher path = PATH.matcher(line.text());
            Matcher head = HEAD.matcher(line.text());
            if (path.matches()) {
                add(groups, Numbers.integer(path.group(1)), byPath(path));
            } else if (head.matches()) {
                current = head(line, head, notes);
                current.ifPresent(g -> groups.computeIfAbsent(g, x -> new ArrayList<>()));
                add(groups, current, PciLine.parse(head.group(3).strip(), line, current, notes));
            } else if (current.isPresent()) {
                Optional<PciFunction> device = PciLine.parse(line.trimmed(), line, current, notes);
                add(groups, current, device);
                if (device.isEmpty() && line.open()) {
                    notes.openEnd(line);
                }
            } else {
                notes.line(line, "belongs to no group; skipped");
            }
        }
        return new IommuGroups(groups.entrySet().stream()
                .map(e -> new IommuGroups.Group(e.getKey(), e.getValue())).toList(), notes.list());
    }

    private static OptionalInt head(Text.Line line, Matcher head, Notes notes) {
        if (line.open() && head.group(2).isEmpty() && head.group(3).isEmpty()) {
            notes.openEnd(line);
            return OptionalInt.empty();
        }
        return Numbers.integer(head.group(1));
    }

    private static Optional<PciFunction> byPath(Matcher path) {
        OptionalInt group = Numbers.integer(path.group(1));
        return PciAddress.parse(path.group(2)).map(a -> new PciFunction(a, Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of(),
                group, Optional.empty()));
    }

    private static void add(Map<Integer, List<PciFunction>> groups, OptionalInt group, Optional<PciFunction> device) {
        if (group.isPresent()) {
            device.ifPresent(d -> groups.computeIfAbsent(group.getAsInt(), g -> new ArrayList<>()).add(d));
        }
    }
}
