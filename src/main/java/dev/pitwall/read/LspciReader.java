package dev.pitwall.read;

import dev.pitwall.card.PciFunction;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code lspci} in its usual forms. Details belong to the device above them whether or not they are indented,
 * since a paste often loses the indentation; the {@code --} of {@code grep -A} is skipped.
 */
public final class LspciReader {

    private static final Pattern DETAIL = Pattern.compile(
            "\\s*(Subsystem|Kernel driver in use|Kernel modules|IOMMU group|Flags|DeviceName): ?(.*)");
    private static final Pattern IDS = Pattern.compile("(?:^|\\s)\\[?([0-9a-fA-F]{4}:[0-9a-fA-F]{4})]?\\s*$");
    private static final Pattern GROUP = Pattern.compile("IOMMU group:? (\\d+)");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        long devices = text.hits(t -> PciLine.looksLike(t.strip()));
        return devices == 0 ? 0 : 0.3 + 0.65 * text.share(t -> PciLine.looksLike(t.strip()) || DETAIL.matcher(t).matches()
                || t.startsWith("\t") || t.startsWith("    ") || t.equals("--"));
    }

    /** Reads as far as it goes; never throws. */
    public PciListing read(Text text) {
        Notes notes = new Notes();
        List<Draft> drafts = new ArrayList<>();
        for (Text.Line line : text.filled(notes::add)) {
            Optional<PciFunction> device = PciLine.parse(line.trimmed(), line, OptionalInt.empty(), notes);
            if (device.isPresent()) {
                drafts.add(new Draft(device.get()));
            } else if (!drafts.isEmpty()) {
                drafts.getLast().detail(line, notes);
            } else if (!line.trimmed().equals("--")) {
                notes.line(line, "not a device; skipped");
            }
        }
        return new PciListing(drafts.stream().map(Draft::build).toList(), notes.list());
    }

    /** A device whose details are still being read. */
    private static final class Draft {
        private final PciFunction head;
        private Optional<String> subsystem = Optional.empty();
        private Optional<String> driver = Optional.empty();
        private List<String> modules = List.of();
        private OptionalInt group = OptionalInt.empty();

        Draft(PciFunction head) {
            this.head = head;
        }

        void detail(Text.Line line, Notes notes) {
            Matcher m = DETAIL.matcher(line.text());
            if (!m.matches()) {
                return;
            }
            String value = m.group(2).strip();
            switch (m.group(1)) {
                case "Subsystem" -> subsystem = subsystem(value, line);
                case "Kernel driver in use" -> driver = whole(value, line, notes);
                case "Kernel modules" -> modules = modules(value, line, notes);
                case "IOMMU group", "Flags" -> group = group(line);
                default -> { }
            }
        }

        private static Optional<String> subsystem(String value, Text.Line line) {
            Matcher ids = IDS.matcher(value);
            if (!ids.find() || (line.open() && !value.endsWith("]"))) {
                return Optional.empty();
            }
            return Optional.of(Text.lower(ids.group(1)));
        }

        private static Optional<String> whole(String value, Text.Line line, Notes notes) {
            if (line.open()) {
                notes.openEnd(line);
                return Optional.empty();
            }
            return value.isEmpty() ? Optional.empty() : Optional.of(value);
        }

        private static List<String> modules(String value, Text.Line line, Notes notes) {
            List<String> names = new ArrayList<>(List.of(value.split(",\\s*")));
            if (line.open()) {
                notes.openEnd(line);
                names.removeLast();
            }
            names.removeIf(String::isBlank);
            return names;
        }

        private static OptionalInt group(Text.Line line) {
            Matcher m = GROUP.matcher(line.text());
            if (!m.find() || line.mayBeCutAt(m.end())) {
                return OptionalInt.empty();
            }
            return Numbers.integer(m.group(1));
        }

        PciFunction build() {
            return new PciFunction(head.address(), head.classCode(), head.className(), head.vendorId(), head.deviceId(),
                    head.name(), subsystem, driver, modules, group, head.revision());
        }
    }
}
