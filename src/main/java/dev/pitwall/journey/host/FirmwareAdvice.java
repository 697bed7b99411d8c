package dev.pitwall.journey.host;

import com.fasterxml.jackson.core.type.TypeReference;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Where firmware has the switches, from {@code journey/host-firmware.yaml}: by board where that is documented. */
final class FirmwareAdvice {
    private final Table table = HostData.read("host-firmware.yaml", new TypeReference<>() { });

    /** @param processors what to look for where no board fits */
    private record Table(List<Board> boards, List<General> processors) {
    }

    /**
     * @param board  pattern of vendor and product, found anywhere in them
     * @param path   menus in order, with {@code >} between them
     * @param source where the vendor or a person with this board says so
     */
    private record Board(String board, Processor processor, String path, String source) {
        boolean fits(String name, Processor theirs) {
            return processor == theirs && Pattern.compile(board, Pattern.CASE_INSENSITIVE).matcher(name).find();
        }
    }

    /** @param look the names that vendors give the switches */
    private record General(Processor processor, String look) {
    }

    /** The menu path of a board; empty where none is documented. */
    Optional<String> path(String board, String cpuVendor) {
        Processor processor = Processor.of(cpuVendor);
        return table.boards().stream().filter(b -> b.fits(board, processor)).map(Board::path).findFirst();
    }

    /** What to look for on any board with such a processor. */
    String general(String cpuVendor) {
        Processor processor = Processor.of(cpuVendor);
        return table.processors().stream().filter(g -> g.processor() == processor).map(General::look).findFirst()
                .orElseThrow();
    }
}
