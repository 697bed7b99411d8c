package dev.pitwall.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code nvidia-smi -L}. */
public final class SmiListReader {

    private static final Pattern GPU = Pattern.compile("\\s*GPU (\\d{1,3}): (\\S.*?) \\(UUID: (GPU-[0-9a-fA-F-]{36})\\).*");
    private static final Pattern MIG = Pattern.compile("\\s*MIG (\\S+)\\s+Device\\s+(\\d+): \\(UUID: (MIG-[^)]+)\\).*");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        return text.hits(t -> GPU.matcher(t).matches()) > 0
                ? 0.4 + 0.55 * text.share(t -> GPU.matcher(t).matches() || MIG.matcher(t).matches()) : 0;
    }

    /** Reads as far as it goes; never throws. */
    public GpuListing read(Text text) {
        Notes notes = new Notes();
        List<GpuDraft> drafts = new ArrayList<>();
        for (Text.Line line : text.filled(notes::add)) {
            Matcher m = GPU.matcher(line.text());
            if (m.matches()) {
                GpuDraft draft = new GpuDraft();
                draft.index(m.group(1));
                draft.name(m.group(2));
                draft.uuid(m.group(3));
                drafts.add(draft);
            } else if (MIG.matcher(line.text()).matches()) {
                notes.line(line, "a MIG instance; instances are not listed apart");
            } else if (line.open()) {
                notes.openEnd(line);
            }
        }
        return new GpuListing(GpuListing.Layout.LIST, drafts.stream().map(d -> d.build(Optional.empty())).toList(),
                Optional.empty(), Optional.empty(), Optional.empty(), notes.list());
    }
}
