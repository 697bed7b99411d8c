package dev.pitwall.journey.host;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the kernel's command line says of the IOMMU. */
final class IommuWords {
    static final KernelWord INTEL_ON = KernelWord.of("intel_iommu", "on");
    static final KernelWord PASS_THROUGH = KernelWord.of("iommu", "pt");

    private static final String INTEL = "intel_iommu=";
    private static final Set<String> NAMES = Set.of("intel_iommu", "amd_iommu", "iommu");
    private static final String OFF = "off";

    private IommuWords() {
    }

    /**
     * True for a word that turns an IOMMU off, alone or among other items, for example {@code intel_iommu=off,sm_on}.
     */
    static boolean turnsOff(String word) {
        int equals = word.indexOf('=');
        return equals > 0 && NAMES.contains(word.substring(0, equals))
                && Arrays.asList(word.substring(equals + 1).split(",")).contains(OFF);
    }

    /** The word without what turns an IOMMU off; empty where nothing is left of it. */
    static Optional<String> withoutOff(String word) {
        if (!turnsOff(word)) {
            return Optional.of(word);
        }
        int equals = word.indexOf('=');
        List<String> rest = Arrays.stream(word.substring(equals + 1).split(",")).filter(i -> !i.equals(OFF)).toList();
        return rest.isEmpty() ? Optional.empty()
                : Optional.of(word.substring(0, equals + 1) + String.join(",", rest));
    }

    /**
     * True if these words leave an IOMMU off that firmware has on: of {@code intel_iommu} the last item counts,
     * {@code iommu=off} holds in any order.
     */
    static boolean leaveOff(List<String> words, String cpuVendor) {
        boolean general = words.stream().anyMatch(w -> turnsOff(w) && w.startsWith("iommu="));
        return general || (Processor.of(cpuVendor) == Processor.INTEL
                ? intelSwitch(words).filter(OFF::equals).isPresent()
                : words.stream().anyMatch(w -> turnsOff(w) && w.startsWith("amd_iommu=")));
    }

    /** {@code on}, {@code off}, or empty where no word says either. */
    static Optional<String> intelSwitch(List<String> words) {
        return words.stream().filter(w -> w.startsWith(INTEL))
                .flatMap(w -> Arrays.stream(w.substring(INTEL.length()).split(",")))
                .filter(i -> i.equals("on") || i.equals(OFF)).reduce((first, last) -> last);
    }
}
