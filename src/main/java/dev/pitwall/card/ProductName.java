package dev.pitwall.card;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The short name a person calls a card by, out of the long names of its sources. */
final class ProductName {
    private static final Pattern IN_BRACKETS = Pattern.compile("\\[([^\\[\\]]+)]");

    private ProductName() {
    }

    /** {@code NVIDIA GeForce RTX 3060} and {@code GA106 [GeForce RTX 3060 Lite Hash Rate]} give {@code RTX 3060 …}. */
    static String shorten(String name) {
        Matcher m = IN_BRACKETS.matcher(name);
        String product = m.find() ? m.group(1) : name;
        return product.replaceFirst("^NVIDIA[ -]", "").replaceFirst("^GeForce[ -]", "").replaceFirst("^Tesla ", "")
                .strip();
    }

    /** The name in the host's PCI list, or the ids where the host's pci.ids does not know the card. */
    static Optional<String> ofFunctions(List<PciFunction> functions) {
        return functions.stream().filter(PciFunction::isNvidiaGpu).findFirst()
                .flatMap(f -> f.name().map(n -> shorten(n.replaceFirst("^NVIDIA Corporation ", "")))
                        .filter(n -> !n.isBlank() && !n.equals("Device"))
                        .or(() -> f.vendorDevice().map(ids -> "NVIDIA " + ids)));
    }
}
