package dev.pitwall.read;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one line with which {@code lspci} and the usual IOMMU scripts print a function:
 * {@code 01:00.0 VGA compatible controller [0300]: NVIDIA Corporation … [10de:2184] (rev a1)}.
 */
final class PciLine {

    private static final String ADDRESS = "((?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[01][0-9a-fA-F]\\.[0-7])";
    private static final Pattern NUMERIC = Pattern.compile(
            ADDRESS + "\\s+(?:Class )?\"?([0-9a-fA-F]{4})\"?: ([0-9a-fA-F]{4}):([0-9a-fA-F]{4})(?= |$)(.*)");
    private static final Pattern NAMED = Pattern.compile(
            ADDRESS + "\\s+([A-Za-z0-9][^\\[\\]:]{1,60}?)(?: \\[([0-9a-fA-F]{4})])?:(?: (.*))?");
    /** Some scripts print the ids first and columns instead of colons. */
    private static final Pattern COLUMNS = Pattern.compile(
            "\\[([0-9a-fA-F]{4}):([0-9a-fA-F]{4})]\\s+(?:\\[R]\\s+)?" + ADDRESS + "\\s+(\\S.*?)\\s{2,}(\\S.*?)\\s*");
    private static final Pattern TAIL = Pattern.compile(
            "(?:^|\\s)\\[([0-9a-fA-F]{4}):([0-9a-fA-F]{4})](?=\\s|$)");
    private static final Pattern REVISION = Pattern.compile("\\(rev ([0-9a-fA-F]{2})\\)");
    private static final Pattern REST = Pattern.compile("\\s*\\((?:rev|prog-if) [^)]*\\)?.*$");

    private PciLine() {
    }

    /** True if the text, without what stands before it, is such a line. */
    static boolean looksLike(String text) {
        return NAMED.matcher(text).matches() || NUMERIC.matcher(text).matches() || COLUMNS.matcher(text).matches();
    }

    /**
     * @param text  the part of the line from the address on
     * @param line  where it stands
     * @param group IOMMU group, if known
     */
    static Optional<PciFunction> parse(String text, Text.Line line, OptionalInt group, Notes notes) {
        Matcher numeric = NUMERIC.matcher(text);
        if (numeric.matches()) {
            return numeric(numeric, line, group, notes);
        }
        Matcher columns = COLUMNS.matcher(text);
        if (columns.matches()) {
            return columns(columns, line, group, notes);
        }
        Matcher named = NAMED.matcher(text);
        return named.matches() ? named(named, line, group, notes) : Optional.empty();
    }

    private static Optional<PciFunction> numeric(Matcher m, Text.Line line, OptionalInt group, Notes notes) {
        boolean cut = line.open() && m.group(5).isEmpty();
        if (cut) {
            notes.openEnd(line);
        }
        Optional<String> vendor = cut ? Optional.empty() : Optional.of(Text.lower(m.group(3)));
        Optional<String> device = cut ? Optional.empty() : Optional.of(Text.lower(m.group(4)));
        return PciAddress.parse(m.group(1)).map(a -> new PciFunction(a, Optional.of(Text.lower(m.group(2))),
                Optional.empty(), vendor, device, Optional.empty(), Optional.empty(), Optional.empty(), List.of(),
                group, revision(m.group(5))));
    }

    private static Optional<PciFunction> columns(Matcher m, Text.Line line, OptionalInt group, Notes notes) {
        if (line.open()) {
            notes.openEnd(line);
        }
        Optional<String> name = line.open() ? Optional.empty() : Optional.of(m.group(5).strip());
        return PciAddress.parse(m.group(3)).map(a -> new PciFunction(a, Optional.empty(),
                Optional.of(m.group(4)), Optional.of(Text.lower(m.group(1))), Optional.of(Text.lower(m.group(2))), name,
                Optional.empty(), Optional.empty(), List.of(), group, Optional.empty()));
    }

    private static Optional<PciFunction> named(Matcher m, Text.Line line, OptionalInt group, Notes notes) {
        Optional<String> code = Optional.ofNullable(m.group(3)).map(Text::lower);
        String rest = m.group(4) == null ? "" : m.group(4);
        Optional<String> revision = revision(rest);
        Matcher ids = lastIds(rest);
        Optional<String> name;
        if (ids != null) {
            name = Optional.of(rest.substring(0, ids.start()).strip());
        } else if (code.isPresent() || (line.open() && revision.isEmpty())) {
            // With -nn every device has its ids: a line without them is cut, and so may be its name.
            notes.line(line, "the line is cut before the device's ids; its name was left out");
            name = Optional.empty();
        } else {
            name = Optional.of(REST.matcher(rest).replaceFirst("").strip());
        }
        return PciAddress.parse(m.group(1)).map(a -> new PciFunction(a, code, Optional.of(m.group(2).strip()),
                Optional.ofNullable(ids).map(i -> Text.lower(i.group(1))),
                Optional.ofNullable(ids).map(i -> Text.lower(i.group(2))), name.filter(n -> !n.isEmpty()),
                Optional.empty(), Optional.empty(), List.of(), group, revision));
    }

    private static Matcher lastIds(String rest) {
        Matcher found = null;
        Matcher m = TAIL.matcher(rest);
        int from = 0;
        while (m.find(from)) {
            found = TAIL.matcher(rest);
            found.find(m.start());
            from = m.end();
        }
        return found;
    }

    private static Optional<String> revision(String rest) {
        Matcher m = REVISION.matcher(rest);
        return m.find() ? Optional.of(Text.lower(m.group(1))) : Optional.empty();
    }
}
