package dev.pitwall.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the table of {@code nvidia-smi}, in the narrow layout up to driver 525 and the wide one after it. A cell counts
 * only if its right border is there.
 */
public final class SmiTableReader {

    private static final Pattern HEAD = Pattern.compile("\\|\\s*NVIDIA-SMI\\s+(\\S+)\\s.*");
    private static final Pattern DRIVER = Pattern.compile("(?:Driver|KMD) Version:\\s*([0-9][0-9.]*)(?=[\\s|])");
    private static final Pattern CUDA = Pattern.compile("CUDA (?:UMD )?Version:\\s*([0-9][0-9.]*)(?=[\\s|])");
    private static final Pattern FIRST_ROW = Pattern.compile(
            "\\s*(\\d{1,3})\\s+(\\S.*?)\\s+(?:On|Off|N/A|Enabled|Disabled|TCC|WDDM|MCDM|ERR!)\\s*");
    private static final Pattern BUS = Pattern.compile("\\s*([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7])\\b.*");
    private static final Pattern SECOND_ROW = Pattern.compile(
            "\\s*(?:\\d+%|N/A|ERR!|\\[N/A])\\s+(\\S+)\\s+(?:P\\d+|N/A|ERR!|\\[N/A]|Unknown)\\s+(\\S+)\\s*/\\s*(\\S+)\\s*");
    private static final Pattern MEMORY = Pattern.compile("\\s*(\\S+)\\s*/\\s*(\\S+)\\s*");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        boolean head = text.hits(t -> HEAD.matcher(t.strip()).matches()) > 0;
        boolean rows = text.hits(t -> firstRow(cells(t))) > 0;
        boolean processes = text.hits(t -> t.contains("No running processes found") || t.contains("| Processes:")) > 0;
        return head || rows ? 0.96 : processes ? 0.7 : 0;
    }

    /** Reads as far as it goes; never throws. */
    public GpuListing read(Text text) {
        Notes notes = new Notes();
        Optional<String> driver = Optional.empty();
        Optional<String> cuda = Optional.empty();
        List<GpuDraft> drafts = new ArrayList<>();
        boolean open = false;
        for (Text.Line line : text.filled(notes::add)) {
            List<String> cells = cells(line.text());
            if (HEAD.matcher(line.trimmed()).matches()) {
                driver = find(DRIVER, line.text());
                cuda = find(CUDA, line.text());
            } else if (firstRow(cells)) {
                drafts.add(draft(cells));
                open = true;
            } else if (open && !cells.isEmpty() && SECOND_ROW.matcher(cells.getFirst()).matches()) {
                secondRow(cells, drafts.getLast());
                open = false;
                if (cells.size() < 3) {
                    notes.line(line, "the row of GPU " + (drafts.size() - 1) + " is cut; what is missing was left out");
                }
            } else if (line.open()) {
                notes.openEnd(line);
            }
        }
        if (open) {
            notes.add("the text stops in the last GPU; what is missing was left out");
        }
        Optional<String> version = driver;
        return new GpuListing(GpuListing.Layout.TABLE, drafts.stream().map(d -> d.build(version)).toList(), driver,
                cuda, Optional.empty(), notes.list());
    }

    /** What stands between two borders; the rest after the last border may be cut and does not count. */
    private static List<String> cells(String line) {
        String t = line.strip();
        List<String> cells = new ArrayList<>();
        if (!t.startsWith("|")) {
            return cells;
        }
        int from = 1;
        for (int to = t.indexOf('|', from); to >= 0; to = t.indexOf('|', from)) {
            cells.add(t.substring(from, to));
            from = to + 1;
        }
        return cells;
    }

    private static boolean firstRow(List<String> cells) {
        return cells.size() >= 2 && FIRST_ROW.matcher(cells.getFirst()).matches() && BUS.matcher(cells.get(1)).matches();
    }

    private static GpuDraft draft(List<String> cells) {
        GpuDraft draft = new GpuDraft();
        Matcher first = FIRST_ROW.matcher(cells.getFirst());
        Matcher bus = BUS.matcher(cells.get(1));
        if (first.matches() && bus.matches()) {
            draft.index(first.group(1));
            draft.name(first.group(2));
            draft.busId(bus.group(1));
        }
        return draft;
    }

    private static void secondRow(List<String> cells, GpuDraft draft) {
        Matcher row = SECOND_ROW.matcher(cells.getFirst());
        if (row.matches()) {
            draft.temperature(row.group(1));
            draft.power(row.group(2));
        }
        if (cells.size() > 1) {
            Matcher memory = MEMORY.matcher(cells.get(1));
            if (memory.matches()) {
                draft.usedMiB(memory.group(1));
                draft.totalMiB(memory.group(2));
            }
        }
        if (cells.size() > 2) {
            draft.utilization(cells.get(2).strip().split("\\s+")[0]);
        }
    }

    private static Optional<String> find(Pattern pattern, String text) {
        Matcher m = pattern.matcher(text);
        return m.find() ? Optional.of(m.group(1)) : Optional.empty();
    }
}
