package dev.pitwall.lab.ssh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The base address registers of one function, read back from the kernel lines the world has for it, so that
 * {@code resource}, {@code lspci -v} and {@code dmesg} agree.
 */
public record PciBars(List<Bar> bars) {
    private static final Pattern LINE = Pattern.compile(
            "BAR (\\d)(?::| )?.*?\\[(mem|io) +0x([0-9a-f]+)-0x([0-9a-f]+)( 64bit)?( pref)?\\].*");
    private static final int RESOURCES = 13;

    /** @param end last address, inclusive */
    public record Bar(int index, boolean io, long start, long end, boolean wide, boolean prefetchable) {
        long size() {
            return end - start + 1;
        }

        /** {@code IORESOURCE_*} as {@code /sys/…/resource} prints them. */
        long flags() {
            if (io) {
                return 0x40101;
            }
            return 0x40200 | (wide ? 0x100000 | 0x4 : 0) | (prefetchable ? 0x2000 | 0x8 : 0);
        }
    }

    public static PciBars of(PciView p) {
        List<Bar> bars = new ArrayList<>();
        for (String line : p.barLines()) {
            Matcher m = LINE.matcher(line);
            if (m.matches() && !line.startsWith("VF ")) {
                bars.add(new Bar(Integer.parseInt(m.group(1)), m.group(2).equals("io"),
                        Long.parseUnsignedLong(m.group(3), 16), Long.parseUnsignedLong(m.group(4), 16),
                        m.group(5) != null, m.group(6) != null));
            }
        }
        return new PciBars(List.copyOf(bars));
    }

    String resourceFile() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < RESOURCES; i++) {
            int index = i;
            String line = bars.stream().filter(b -> b.index() == index).findFirst()
                    .map(b -> String.format(Locale.ROOT, "0x%016x 0x%016x 0x%016x", b.start(), b.end(), b.flags()))
                    .orElse("0x0000000000000000 0x0000000000000000 0x0000000000000000");
            out.append(line).append('\n');
        }
        return out.toString();
    }

    /** The first 64 bytes of configuration space; all ones once the device is gone. */
    static byte[] configHeader(PciView p) {
        byte[] header = new byte[64];
        if (p.gone()) {
            Arrays.fill(header, (byte) 0xff);
            return header;
        }
        word(header, 0, p.vendorId());
        word(header, 2, p.deviceId());
        header[8] = (byte) Integer.parseInt(p.revision(), 16);
        for (int i = 0; i < 3; i++) {
            header[11 - i] = (byte) Integer.parseInt(p.classCode().substring(2 * i, 2 * i + 2), 16);
        }
        word(header, 0x2c, p.subsystemVendor());
        word(header, 0x2e, p.subsystemDevice());
        return header;
    }

    private static void word(byte[] header, int at, String hex) {
        int value = hex.isEmpty() ? 0 : Integer.parseInt(hex, 16);
        header[at] = (byte) value;
        header[at + 1] = (byte) (value >> 8);
    }

    /** The lines of {@code lspci -v}. */
    public String verbose() {
        StringBuilder out = new StringBuilder();
        for (Bar b : bars) {
            if (b.io()) {
                out.append("\tI/O ports at ").append(Long.toHexString(b.start())).append(" [size=")
                        .append(b.size()).append("]\n");
            } else {
                out.append("\tMemory at ").append(Long.toHexString(b.start())).append(" (")
                        .append(b.wide() ? "64-bit" : "32-bit").append(", ")
                        .append(b.prefetchable() ? "prefetchable" : "non-prefetchable").append(") [size=")
                        .append(human(b.size())).append("]\n");
            }
        }
        return out.toString();
    }

    private static String human(long bytes) {
        String units = "KMGT";
        long value = bytes;
        int unit = -1;
        while (value >= 1024 && value % 1024 == 0 && unit < units.length() - 1) {
            value /= 1024;
            unit++;
        }
        return unit < 0 ? Long.toString(value) : value + units.substring(unit, unit + 1);
    }

}
