package dev.pitwall.card;

import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PCI address: domain, bus, device, and a function, or no function for the whole slot.
 *
 * @param domain   0 to 0xffffffff (NVIDIA prints eight digits, the kernel four)
 * @param bus      0 to 0xff
 * @param device   0 to 0x1f
 * @param function 0 to 7, or {@link #WHOLE_SLOT}
 */
public record PciAddress(int domain, int bus, int device, int function) implements Comparable<PciAddress> {

    /** The function of an address that names all functions of a slot, as {@code hostpci} may. */
    public static final int WHOLE_SLOT = -1;

    private static final Pattern TEXT =
            Pattern.compile("(?:([0-9a-fA-F]{4,8}):)?([0-9a-fA-F]{2}):([0-9a-fA-F]{2})(?:\\.([0-7]))?");
    private static final HexFormat HEX = HexFormat.of();
    private static final Comparator<PciAddress> ORDER = Comparator.comparingInt(PciAddress::domain)
            .thenComparingInt(PciAddress::bus).thenComparingInt(PciAddress::device)
            .thenComparingInt(PciAddress::function);

    /**
     * Reads every usual form: {@code 01:00.0}, {@code 0000:01:00.0}, {@code 00000000:01:00.0}, {@code 0000:01:00}.
     *
     * @return empty if the text is not a whole PCI address
     */
    public static Optional<PciAddress> parse(String text) {
        Matcher m = TEXT.matcher(text.trim());
        if (!m.matches()) {
            return Optional.empty();
        }
        int domain = m.group(1) == null ? 0 : Integer.parseUnsignedInt(m.group(1), 16);
        int device = Integer.parseInt(m.group(3), 16);
        if (device > 0x1f) {
            return Optional.empty();
        }
        int function = m.group(4) == null ? WHOLE_SLOT : Integer.parseInt(m.group(4));
        return Optional.of(new PciAddress(domain, Integer.parseInt(m.group(2), 16), device, function));
    }

    /** This address without its function. */
    public PciAddress slot() {
        return new PciAddress(domain, bus, device, WHOLE_SLOT);
    }

    /** True if the two name the same slot, whatever their functions. */
    public boolean sameSlot(PciAddress other) {
        return domain == other.domain && bus == other.bus && device == other.device;
    }

    /** The kernel's form, for example {@code 0000:01:00.0}, or {@code 0000:01:00} for a whole slot. */
    @Override
    public String toString() {
        String high = domain >>> 16 == 0 ? HEX.toHexDigits((short) domain) : Integer.toHexString(domain);
        String slot = high + ":" + HEX.toHexDigits((byte) bus) + ":" + HEX.toHexDigits((byte) device);
        return function == WHOLE_SLOT ? slot : slot + "." + function;
    }

    @Override
    public int compareTo(PciAddress other) {
        return ORDER.compare(this, other);
    }
}
