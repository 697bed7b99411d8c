package dev.pitwall.journey.talos;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A generation of cards and the modules that drive it.
 *
 * @param first oldest branch of the open modules that knows it; 0 where none is too old
 * @param last  newest branch that drives it; 0 while all do
 */
public record Generation(String name, Pattern chip, Pattern products, Open open, int first, int last) {
    private static final List<Generation> ALL = TalosData.yaml("generations.yaml", new TypeReference<List<Row>>() { })
            .stream().map(row -> new Generation(row.name, Pattern.compile("\\b(?:" + row.chip + ")"),
                    Pattern.compile(row.products), Open.valueOf(row.open.toUpperCase(java.util.Locale.ROOT)), row.first,
                    row.last)).toList();

    /** Whether NVIDIA's open modules drive it. */
    public enum Open { NO, YES, REQUIRED }

    private record Row(@JsonProperty String name, @JsonProperty String chip, @JsonProperty String products,
                       @JsonProperty String open, @JsonProperty int first, @JsonProperty int last) {
    }

    /**
     * By the chip that a PCI listing names, for example {@code GB202 [GeForce RTX 5090]}, else by the product.
     *
     * @return empty for a card that is not known
     */
    public static Optional<Generation> of(String name) {
        return ALL.stream().filter(g -> g.chip.matcher(name).find()).findFirst()
                .or(() -> ALL.stream().filter(g -> g.products.matcher(name).find()).findFirst());
    }

    /** True if modules of this kind and branch drive it. */
    public boolean takes(ModuleKind kind, int branch) {
        boolean young = last == 0 || branch <= last;
        return switch (kind) {
            case OPEN -> open != Open.NO && branch >= first && young;
            case PROPRIETARY -> open != Open.REQUIRED && branch >= (open == Open.NO ? first : 0) && young;
        };
    }
}
