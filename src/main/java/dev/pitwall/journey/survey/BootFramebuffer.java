package dev.pitwall.journey.survey;

import dev.pitwall.card.PciAddress;
import dev.pitwall.journey.survey.HostSurvey.Bar;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the boot framebuffers that lie in the memory of a card (facts: proxmox.md 2.6). */
final class BootFramebuffer {
    private static final Pattern LINE = Pattern.compile(
            "\\s*(\\p{XDigit}+)-(\\p{XDigit}+) : (BOOTFB|simplefb|simple-framebuffer|efifb|vesafb)\\b.*");

    private BootFramebuffer() {
    }

    /** @param iomem {@code /proc/iomem} as root sees it; anybody else sees zeros */
    static List<String> in(String iomem, Map<PciAddress, List<Bar>> bars) {
        return iomem.lines().flatMap(line -> found(line, bars).stream()).toList();
    }

    private static Optional<String> found(String line, Map<PciAddress, List<Bar>> bars) {
        Matcher m = LINE.matcher(line);
        if (!m.matches()) {
            return Optional.empty();
        }
        long start = Long.parseUnsignedLong(m.group(1), 16);
        long end = Long.parseUnsignedLong(m.group(2), 16);
        return bars.entrySet().stream().filter(e -> e.getValue().stream().anyMatch(bar -> holds(bar, start, end)))
                .map(e -> line.strip() + " in " + e.getKey()).findFirst();
    }

    private static boolean holds(Bar bar, long start, long end) {
        return Long.compareUnsigned(bar.start(), start) <= 0
                && Long.compareUnsigned(end, bar.start() + bar.bytes() - 1) <= 0;
    }
}
