package dev.pitwall.journey.host;

import com.fasterxml.jackson.core.type.TypeReference;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Where firmware has the switches, from {@code journey/host-firmware.yaml}: by board where that is documented. */
final class FirmwareAdvice {
    private final Table table = HostData.read("host-firmware.yaml", new TypeReference<>() { });

    /** What a setting is for; in this order they are told. */
    enum Purpose {
        VIRTUALIZATION, IOMMU, ABOVE_4G, DISPLAY, REBAR, SR_IOV;

        /** The sentence that tells where it is, in {@code journey/host.properties}. */
        String sentence() {
            return switch (this) {
                case VIRTUALIZATION, IOMMU, ABOVE_4G -> "iommu.firmware.path";
                case DISPLAY -> "iommu.firmware.path.display";
                case REBAR, SR_IOV -> "iommu.firmware.path.unneeded";
            };
        }
    }

    /** Of which processor's boards an entry is. */
    enum Family {
        INTEL, AMD, ANY;

        private boolean has(Processor processor) {
            return switch (this) {
                case INTEL -> processor == Processor.INTEL;
                case AMD -> processor == Processor.AMD;
                case ANY -> true;
            };
        }
    }

    /** @param processors what to look for on any board */
    private record Table(List<Board> boards, List<General> processors) {
    }

    /**
     * Boards whose menus a document names.
     *
     * @param board  pattern of vendor and product, found anywhere in them
     * @param source address of the document
     */
    record Board(String board, Family processor, String source, List<Place> settings) {
        private boolean is(String name, Processor of) {
            return processor.has(of) && Pattern.compile(board, Pattern.CASE_INSENSITIVE).matcher(name).find();
        }
    }

    /**
     * @param setting as the firmware calls it
     * @param path    menus in order, with {@code >} between them
     */
    record Place(Purpose purpose, String setting, String path) {
    }

    /** @param look the names that vendors give the switches */
    private record General(Processor processor, String look) {
    }

    /** All that is documented. */
    List<Board> boards() {
        return table.boards();
    }

    /**
     * The settings of a board whose menus are documented, at most one of a purpose; empty for most.
     *
     * @param board     vendor and product, as DMI has them
     * @param cpuVendor as {@code /proc/cpuinfo} has it
     */
    List<Place> places(String board, String cpuVendor) {
        Processor processor = Processor.of(cpuVendor);
        List<Place> all = table.boards().stream().filter(b -> b.is(board, processor))
                .flatMap(b -> b.settings().stream()).toList();
        return all.stream().filter(place -> all.stream().filter(p -> p.purpose() == place.purpose()).findFirst()
                .filter(place::equals).isPresent()).sorted(Comparator.comparing(Place::purpose)).toList();
    }

    /** What to look for on any board with such a processor. */
    String general(String cpuVendor) {
        Processor processor = Processor.of(cpuVendor);
        return table.processors().stream().filter(g -> g.processor() == processor).map(General::look).findFirst()
                .orElseThrow();
    }
}
