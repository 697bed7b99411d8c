package dev.pitwall.journey.export;

import dev.pitwall.read.PropertyText;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The settings of a new VM as attributes and blocks; what has none of its own is a comment. */
final class TerraformVm {
    private final Hcl hcl;

    TerraformVm(Hcl hcl) {
        this.hcl = hcl;
    }

    void settings(SortedMap<String, String> settings) {
        SortedMap<String, String> rest = new TreeMap<>(settings);
        take(rest, "machine").ifPresent(v -> hcl.text("machine", v));
        take(rest, "bios").ifPresent(v -> hcl.text("bios", v));
        take(rest, "scsihw").ifPresent(v -> hcl.text("scsi_hardware", v));
        take(rest, "onboot").ifPresent(v -> hcl.set("on_boot", flag(v)));
        take(rest, "boot").map(v -> v.replaceFirst("^order=", "")).ifPresent(v -> hcl.set("boot_order", list(v)));
        processor(rest);
        memory(rest);
        disks(rest);
        devices(rest);
        for (Map.Entry<String, String> setting : rest.entrySet()) {
            hcl.comment("Not with these blocks: " + setting.getKey() + " = " + setting.getValue());
        }
    }

    private void processor(SortedMap<String, String> rest) {
        if (!rest.containsKey("cores")) {
            take(rest, "cpu").ifPresent(v -> hcl.comment("The template's number of cores is not known here: "
                    + "add cpu { cores = ... type = " + Hcl.quote(v) + " }."));
            return;
        }
        hcl.open("cpu");
        take(rest, "cores").ifPresent(v -> hcl.set("cores", v));
        take(rest, "cpu").ifPresent(this::type);
        hcl.close();
    }

    /** The processor type with its flags, inside a block {@code cpu}. */
    Hcl type(String value) {
        PropertyText cpu = PropertyText.parse(value, "cputype");
        hcl.text("type", cpu.get("cputype").orElse("host"));
        cpu.get("flags").ifPresent(flags -> hcl.set("flags", list(flags)));
        return hcl;
    }

    private static String list(String separated) {
        return "[" + Arrays.stream(separated.split(";")).map(Hcl::quote).collect(Collectors.joining(", ")) + "]";
    }

    private void memory(SortedMap<String, String> rest) {
        if (!rest.containsKey("memory")) {
            take(rest, "balloon").ifPresent(v -> hcl.comment("The template's memory is not known here: "
                    + "add memory { dedicated = ... floating = " + v + " }."));
            return;
        }
        hcl.open("memory");
        take(rest, "memory").ifPresent(v -> hcl.set("dedicated", v));
        take(rest, "balloon").ifPresent(v -> hcl.set("floating", v));
        hcl.close();
    }

    private void disks(SortedMap<String, String> rest) {
        take(rest, "efidisk0").map(v -> PropertyText.parse(v, "file")).ifPresent(disk -> hcl.open("efi_disk")
                .text("datastore_id", storage(disk)).text("type", disk.get("efitype").orElse("4m"))
                .set("pre_enrolled_keys", String.valueOf(disk.flag("pre-enrolled-keys"))).close());
        take(rest, "scsi0").map(v -> PropertyText.parse(v, "file")).ifPresent(disk -> hcl.open("disk")
                .text("interface", "scsi0").text("datastore_id", storage(disk))
                .set("size", disk.get("file").orElse("").replaceFirst("^.*:", ""))
                .text("discard", disk.get("discard").orElse("ignore"))
                .set("iothread", String.valueOf(disk.flag("iothread"))).close());
        take(rest, "ide2").map(v -> PropertyText.parse(v, "file")).ifPresent(iso -> hcl.open("cdrom")
                .text("interface", "ide2").text("file_id", iso.get("file").orElse("none")).close());
    }

    private void devices(SortedMap<String, String> rest) {
        take(rest, "net0").map(v -> PropertyText.parse(v, "model")).ifPresent(net -> hcl.open("network_device")
                .text("bridge", net.get("bridge").orElse("vmbr0")).text("model", net.get("model").orElse("virtio"))
                .close());
        take(rest, "agent").ifPresent(v -> hcl.open("agent").set("enabled", flag(v)).close());
        take(rest, "serial0").ifPresent(v -> hcl.open("serial_device").text("device", v).close());
        take(rest, "vga").ifPresent(v -> hcl.open("vga").text("type", v).close());
        take(rest, "ostype").ifPresent(v -> hcl.open("operating_system").text("type", v).close());
        take(rest, "smbios1").flatMap(PropertyText::smbiosUuid)
                .ifPresent(v -> hcl.open("smbios").text("uuid", v).close());
    }

    private static Optional<String> take(SortedMap<String, String> rest, String key) {
        return Optional.ofNullable(rest.remove(key));
    }

    private static String storage(PropertyText disk) {
        return disk.get("file").orElse("").replaceFirst(":.*$", "");
    }

    private static String flag(String value) {
        return String.valueOf(value.equals("1"));
    }
}
