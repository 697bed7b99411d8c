package dev.pitwall.read;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code nvidia-smi -q}. Names repeat under different heads, so each value is taken with the head it stands
 * under. Fragments without the first lines are one GPU.
 */
public final class SmiQueryReader {

    private static final Pattern VALUE = Pattern.compile("(\\s*)(\\S[^:]*?)\\s+: (.*)");
    private static final Pattern GPU = Pattern.compile("\\s*GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7])\\s*");
    private static final Pattern TYPICAL = Pattern.compile(
            "\\s*(?:=+NVSMI LOG=+|(?:Product Name|GPU UUID|Minor Number|VBIOS Version|Bus Id|GSP Firmware Version|Attached GPUs|"
                    + "Virtualization Mode|GPU Current Temp|Persistence Mode|Driver Version|CUDA Version|Product Architecture|"
                    + "Sub System Id|Compute Mode|Instantaneous Power Draw|Power Draw)\\s+: .*"
                    + "|FB Memory Usage|BAR1 Memory Usage|GPU Virtualization Mode|Clocks (?:Event|Throttle) Reasons|IBMNPU)\\s*");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        long typical = text.hits(t -> TYPICAL.matcher(t).matches());
        return typical == 0 ? 0 : Math.min(0.95, 0.45 + 0.12 * typical);
    }

    /** Reads as far as it goes; never throws. */
    public GpuListing read(Text text) {
        State state = new State();
        for (Text.Line line : text.filled(state.notes::add)) {
            if (line.open()) {
                state.notes.openEnd(line);
            } else {
                state.take(line);
            }
        }
        return state.build();
    }

    /** A head and how far it is indented. */
    private record Head(int indent, String name) {
    }

    private static final class State {
        private final Notes notes = new Notes();
        private final List<GpuDraft> drafts = new ArrayList<>();
        private final Deque<Head> heads = new ArrayDeque<>();
        private Optional<String> driver = Optional.empty();
        private Optional<String> cuda = Optional.empty();
        private OptionalInt attached = OptionalInt.empty();

        void take(Text.Line line) {
            Matcher gpu = GPU.matcher(line.text());
            Matcher value = VALUE.matcher(line.text());
            if (gpu.matches()) {
                heads.clear();
                drafts.add(new GpuDraft());
                drafts.getLast().busId(gpu.group(1));
            } else if (value.matches()) {
                leave(line.indent());
                value(heads.isEmpty() ? "" : heads.peek().name(), value.group(2), value.group(3).strip());
            } else if (!line.trimmed().startsWith("=")) {
                leave(line.indent());
                heads.push(new Head(line.indent(), line.trimmed()));
            }
        }

        private void leave(int indent) {
            while (!heads.isEmpty() && heads.peek().indent() >= indent) {
                heads.pop();
            }
        }

        private void value(String head, String key, String value) {
            switch (key) {
                case "Driver Version" -> driver = GpuDraft.present(value);
                case "CUDA Version" -> cuda = GpuDraft.present(value);
                case "Attached GPUs" -> attached = Numbers.integer(value);
                default -> gpu(head, key, value);
            }
        }

        private void gpu(String head, String key, String value) {
            if (key.equals("Timestamp") && drafts.isEmpty()) {
                return;
            }
            if (drafts.isEmpty() || (key.equals("Product Name") && drafts.getLast().hasName())) {
                drafts.add(new GpuDraft());
            }
            GpuDraft draft = drafts.getLast();
            draft.see(value);
            switch (key) {
                case "Product Name" -> draft.name(value);
                case "GPU UUID" -> draft.uuid(value);
                case "Minor Number" -> draft.minor(value);
                case "Bus Id" -> draft.busId(value);
                case "Virtualization Mode", "Virtualization mode" -> draft.virtualization(value);
                case "GPU Current Temp" -> draft.temperature(value);
                default -> underHead(draft, head, key, value);
            }
        }

        private static void underHead(GpuDraft draft, String head, String key, String value) {
            switch (head + "/" + key) {
                case "FB Memory Usage/Total" -> draft.totalMiB(value);
                case "FB Memory Usage/Used" -> draft.usedMiB(value);
                case "FB Memory Usage/Reserved" -> draft.reservedMiB(value);
                case "Utilization/Gpu", "Utilization/GPU" -> draft.utilization(value);
                case "GPU Power Readings/Instantaneous Power Draw" -> draft.instantPower(value);
                case "GPU Power Readings/Power Draw", "Power Readings/Power Draw" -> draft.power(value);
                case "GPU Power Readings/Average Power Draw" -> draft.averagePower(value);
                default -> slowdown(draft, head, key, value);
            }
        }

        private static void slowdown(GpuDraft draft, String head, String key, String value) {
            boolean reasons = head.equals("Clocks Event Reasons") || head.equals("Clocks Throttle Reasons")
                    || head.equals("HW Slowdown");
            if (reasons && value.equals("Active") && !key.equals("Idle")) {
                draft.slowedBy(key);
            }
        }

        GpuListing build() {
            // All GPUs are listed in the order of their index, unless -i chose some.
            if (attached.isPresent() && attached.getAsInt() == drafts.size()) {
                for (int i = 0; i < drafts.size(); i++) {
                    drafts.get(i).index(i);
                }
            }
            return new GpuListing(GpuListing.Layout.QUERY_TEXT, drafts.stream().map(d -> d.build(driver)).toList(),
                    driver, cuda, Optional.empty(), notes.list());
        }
    }
}
