package dev.pitwall.read;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.VmReport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code qm config}, {@code qm pending} and {@code /etc/pve/qemu-server/ID.conf}. */
public final class VmConfigReader {

    private static final Pattern LINE = Pattern.compile("\\s*(?:(cur|new|del) )?([a-z][a-z0-9_-]{1,30}): ?(.*)");
    private static final Pattern DELETE = Pattern.compile("\\s*del (?:force )?([a-z][a-z0-9_-]{1,30})\\s*");
    private static final Pattern TYPICAL = Pattern.compile(
            "\\s*(?:(?:cur|new) )?(?:hostpci\\d+|smbios1|vmgenid|ostype|scsihw|efidisk0|tpmstate0|net\\d|scsi\\d+|"
                    + "(?:onboot|cores|sockets|memory|balloon|bios|machine|cpu|agent|boot|bootdisk|numa|vga)): ?\\S.*");
    private static final Pattern SECTION = Pattern.compile("\\s*\\[[^\\]]+\\]\\s*");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        boolean own = text.hits(t -> t.contains("hostpci") || t.contains("smbios1:") || t.contains("ostype:")
                || t.contains("scsihw:") || t.startsWith("cur ")) > 0;
        long typical = text.hits(t -> TYPICAL.matcher(t).matches());
        return own && typical > 0 ? 0.3 + 0.65 * text.share(t -> LINE.matcher(t).matches() || DELETE.matcher(t).matches())
                : 0;
    }

    /** Reads as far as it goes; never throws. */
    public VmConfig read(Text text) {
        Notes notes = new Notes();
        Map<String, String> values = new LinkedHashMap<>();
        List<VmConfig.Pending> pending = new ArrayList<>();
        for (Text.Line line : text.filled(notes::add)) {
            if (SECTION.matcher(line.text()).matches()) {
                notes.line(line, "snapshots and pending sections of the file are not read");
                break;
            }
            Matcher m = LINE.matcher(line.text());
            Matcher delete = DELETE.matcher(line.text());
            if (line.open()) {
                notes.openEnd(line);
            } else if (m.matches()) {
                take(m, values, pending);
            } else if (delete.matches()) {
                pending.add(new VmConfig.Pending(delete.group(1), "", VmConfig.Action.DELETE));
            } else if (!line.trimmed().startsWith("#")) {
                notes.line(line, "not a setting; skipped");
            }
        }
        List<VmReport.Passthrough> passthrough = passthrough(values);
        List<String> slots = passthrough.stream().flatMap(p -> p.addresses().stream()).map(PciAddress::slot)
                .distinct().map(PciAddress::toString).toList();
        return new VmConfig(values, pending, passthrough, slots, notes.list());
    }

    private static void take(Matcher m, Map<String, String> values, List<VmConfig.Pending> pending) {
        String value = Secrets.mask(m.group(2), m.group(3).strip());
        if ("new".equals(m.group(1))) {
            pending.add(new VmConfig.Pending(m.group(2), value, VmConfig.Action.SET));
        } else if ("del".equals(m.group(1))) {
            pending.add(new VmConfig.Pending(m.group(2), "", VmConfig.Action.DELETE));
        } else {
            values.put(m.group(2), value);
        }
    }

    private static List<VmReport.Passthrough> passthrough(Map<String, String> values) {
        return values.entrySet().stream().filter(e -> e.getKey().matches("hostpci\\d{1,2}"))
                .map(e -> passthrough(e.getKey(), e.getValue())).flatMap(Optional::stream).toList();
    }

    /**
     * One {@code hostpciN} value (facts: qemu-server's PCI.pm): addresses separated by {@code ;}, or {@code mapping=}.
     *
     * @return empty if it names neither
     */
    public static Optional<VmReport.Passthrough> passthrough(String key, String value) {
        Optional<String> mapping = Optional.empty();
        List<PciAddress> addresses = new ArrayList<>();
        boolean pcie = false;
        for (String part : value.split(",")) {
            String p = part.strip();
            if (p.startsWith("mapping=")) {
                mapping = Optional.of(p.substring("mapping=".length()));
            } else if (p.equals("pcie=1") || p.equals("pcie=on") || p.equals("pcie=yes") || p.equals("pcie=true")) {
                pcie = true;
            } else if (p.startsWith("host=") || !p.contains("=")) {
                Arrays.stream(p.replaceFirst("^host=", "").split(";")).map(PciAddress::parse)
                        .flatMap(Optional::stream).forEach(addresses::add);
            }
        }
        return mapping.isEmpty() && addresses.isEmpty() ? Optional.empty()
                : Optional.of(new VmReport.Passthrough(key, mapping.isPresent() ? List.of() : addresses, mapping, pcie));
    }
}
