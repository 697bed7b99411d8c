package dev.pitwall.read;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads what {@code nvidia-smi} prints when it cannot talk to the driver: no GPUs, and its own words. */
public final class SmiErrorReader {

    private static final Pattern ERROR = Pattern.compile(
            ".*(?:Failed to initialize NVML: .+|NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.*|"
                    + "NVIDIA-SMI couldn't find libnvidia-ml\\.so.*|No devices were found.*|"
                    + "Unable to determine the device handle for GPU.*|nvidia-smi: (?:command )?not found.*).*");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        return text.hits(t -> ERROR.matcher(t).matches()) > 0 ? 0.2 + 0.7 * text.share(t -> ERROR.matcher(t).matches()
                || t.contains("NVML library version")) : 0;
    }

    /** Reads as far as it goes; never throws. */
    public GpuListing read(Text text) {
        Notes notes = new Notes();
        Optional<Text.Line> error = text.first(400).stream().filter(l -> ERROR.matcher(l.text()).matches()).findFirst();
        error.filter(Text.Line::open).ifPresent(notes::openEnd);
        return new GpuListing(GpuListing.Layout.ERROR, List.of(), Optional.empty(), Optional.empty(),
                error.map(l -> l.open() ? l.trimmed() + "…" : l.trimmed()), notes.list());
    }
}
