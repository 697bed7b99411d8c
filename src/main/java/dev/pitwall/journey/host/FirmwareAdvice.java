package dev.pitwall.journey.host;

import com.fasterxml.jackson.core.type.TypeReference;

import java.util.List;
import java.util.regex.Pattern;

/** Where firmware has the switches, from {@code journey/host-firmware.yaml}: by board where that is documented. */
final class FirmwareAdvice {
    private final Table table = HostData.read("host-firmware.yaml", new TypeReference<>() { });

    /** @param processors what to look for on any board */
    private record Table(List<Place> boards, List<General> processors) {
    }

    /**
     * @param board   pattern of vendor and product, found anywhere in them
     * @param setting as the firmware calls it
     * @param path    menus in order, with {@code >} between them
     * @param source  where the vendor or a person with this board says so
     */
    record Place(String board, String setting, String path, String source) {
        private boolean isOn(String name) {
            return Pattern.compile(board, Pattern.CASE_INSENSITIVE).matcher(name).find();
        }
    }

    /** @param look the names that vendors give the switches */
    private record General(Processor processor, String look) {
    }

    /** The settings of a board whose menus are documented; empty for most. */
    List<Place> places(String board) {
        return table.boards().stream().filter(place -> place.isOn(board)).toList();
    }

    /** What to look for on any board with such a processor. */
    String general(String cpuVendor) {
        Processor processor = Processor.of(cpuVendor);
        return table.processors().stream().filter(g -> g.processor() == processor).map(General::look).findFirst()
                .orElseThrow();
    }
}
