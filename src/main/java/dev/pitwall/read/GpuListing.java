package dev.pitwall.read;

import dev.pitwall.card.GpuDevice;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What {@code nvidia-smi} printed.
 *
 * @param driverVersion of the whole output
 * @param cudaVersion   the newest CUDA the driver serves
 * @param error         its own words where it failed
 */
public record GpuListing(Layout layout, List<Gpu> gpus, Optional<String> driverVersion, Optional<String> cudaVersion,
                         Optional<String> error, List<String> notes) implements Understood {
    public GpuListing {
        gpus = List.copyOf(gpus);
        notes = List.copyOf(notes);
    }

    /** The outputs that {@code nvidia-smi} has. */
    public enum Layout {
        TABLE, QUERY_TEXT, QUERY_XML, LIST, CSV, ERROR;

        /** The stable name in JSON. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * @param device          what all sources share
     * @param minor           number of {@code /dev/nvidiaN}, which need not be the index
     * @param reservedMiB     memory the driver keeps for itself
     * @param virtualization  {@code None}, {@code Pass-Through} …
     * @param lost            true if it says "GPU is lost"; false proves nothing, since the text may be cut
     * @param slowedBy        clock event reasons that are active, idling aside
     */
    public record Gpu(GpuDevice device, OptionalInt minor, OptionalLong reservedMiB, Optional<String> virtualization,
                      boolean lost, List<String> slowedBy) {
        public Gpu {
            slowedBy = List.copyOf(slowedBy);
        }
    }

    @Override
    public Kind kind() {
        return Kind.NVIDIA_SMI;
    }
}
