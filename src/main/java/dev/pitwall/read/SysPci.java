package dev.pitwall.read;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * PCI functions as the kernel shows them under {@code /sys}, for machines without {@code lspci}. There are ids and no
 * names, since names come from lspci's own table.
 */
public final class SysPci {
    /** One line a function: folder, class, vendor, device, revision, and where the link to its driver leads. */
    public static final List<String> QUESTION = List.of("sh", "-c", "for d in /sys/bus/pci/devices/*; do echo \"$d $(cat $d/class) "
            + "$(cat $d/vendor) $(cat $d/device) $(cat $d/revision) $(readlink $d/driver)\"; done");

    private SysPci() {
    }

    public static List<PciFunction> read(String lines) {
        return lines.lines().flatMap(line -> function(line.strip().split("\\s+"))).toList();
    }

    private static Stream<PciFunction> function(String[] words) {
        if (words.length < 5 || !words[1].matches("0x[0-9a-fA-F]{6}")) {
            return Stream.empty();
        }
        Optional<String> driver = words.length > 5 ? Optional.of(lastPart(words[5])) : Optional.empty();
        return PciAddress.parse(lastPart(words[0])).stream().map(address -> new PciFunction(address,
                Optional.of(digits(words[1]).substring(0, 4)), Optional.empty(), Optional.of(digits(words[2])),
                Optional.of(digits(words[3])), Optional.empty(), Optional.empty(), driver, List.of(),
                OptionalInt.empty(), Optional.of(digits(words[4]))));
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String digits(String number) {
        return number.toLowerCase(Locale.ROOT).replaceFirst("^0x", "");
    }
}
