package dev.pitwall.journey.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.change.Content;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who has a function of a card after a boot with these files, as far as files decide it (facts: proxmox.md 2.3). It
 * takes the initramfs to agree with the files.
 */
final class NextBoot {
    private static final String VFIO_MODULE = Devices.name(Devices.VFIO);
    private static final Pattern KERNEL = Pattern.compile("\\bKERNEL==\"([^\"]+)\"");
    private static final Pattern OVERRIDE = Pattern.compile("\\bATTR\\{driver_override}=\"vfio-pci\"");

    private final Map<String, Content> files;
    private final List<PciFunction> card;
    private final Devices devices;
    private final ModprobeConfig modprobe;

    /** @param card all functions of the slot */
    NextBoot(Map<String, Content> files, List<String> commandLine, List<PciFunction> card, Devices devices) {
        this.files = files;
        this.card = card;
        this.devices = devices;
        this.modprobe = ModprobeConfig.of(files, commandLine);
    }

    /** What becomes of one function. */
    sealed interface Fate {
        /** @param by the file that decides */
        record Reserved(String by) implements Fate {
        }

        /** No driver of the host can claim it; Proxmox binds it when the VM starts. */
        record Unclaimed() implements Fate {
        }

        /** @param module the first that may take it */
        record Claimed(String module) implements Fate {
        }

        /** The file that keeps it for vfio-pci; empty where none does. */
        default Optional<String> keptBy() {
            return switch (this) {
                case Reserved(String by) -> Optional.of(by);
                case Unclaimed u -> Optional.empty();
                case Claimed c -> Optional.empty();
            };
        }

        /** The module of the host that may take it; empty where none may. */
        default Optional<String> claimedBy() {
            return switch (this) {
                case Claimed(String module) -> Optional.of(module);
                case Reserved r -> Optional.empty();
                case Unclaimed u -> Optional.empty();
            };
        }
    }

    ModprobeConfig modprobe() {
        return modprobe;
    }

    Fate fate(PciFunction function) {
        Optional<String> address = override(function.address());
        if (address.isPresent()) {
            return new Fate.Reserved(address.get());
        }
        List<String> rivals = rivals(function);
        Optional<String> ids = ids().filter(o -> takes(o.value(), function)).map(ModprobeConfig.Option::path);
        if (ids.isPresent() && (early() || rivals.stream().allMatch(this::yields))) {
            return new Fate.Reserved(ids.get());
        }
        return rivals.isEmpty() ? new Fate.Unclaimed() : new Fate.Claimed(rivals.getFirst());
    }

    /** Modules that may claim a function and are not kept from it. */
    List<String> rivals(PciFunction function) {
        return devices.rivals(function, card).stream().filter(m -> modprobe.blacklisted(m).isEmpty()).toList();
    }

    /** True for a module that lets vfio-pci go first. */
    boolean yields(String module) {
        return modprobe.before(module).contains(VFIO_MODULE);
    }

    /** The {@code ids=} that counts. */
    Optional<ModprobeConfig.Option> ids() {
        return modprobe.option(VFIO_MODULE, "ids");
    }

    /** Ids may have more parts: {@code vendor:device:subvendor:subdevice:class:mask}. */
    private static boolean takes(String ids, PciFunction function) {
        return function.vendorDevice().filter(own -> Arrays.stream(ids.split(","))
                .anyMatch(id -> id.equalsIgnoreCase(own) || id.toLowerCase(Locale.ROOT).startsWith(own + ":")))
                .isPresent();
    }

    /** True where the initramfs loads vfio-pci before it looks for devices. */
    private boolean early() {
        return names(Paths.INITRAMFS_MODULES).contains(VFIO_MODULE);
    }

    /** The file that gives an address to vfio-pci: a udev rule, or driverctl's. */
    Optional<String> override(PciAddress address) {
        Content driverctl = files.getOrDefault(Paths.DRIVERCTL + address, Content.ABSENT);
        if (driverctl.text().strip().equals(Devices.VFIO)) {
            return Optional.of(Paths.DRIVERCTL + address);
        }
        return files.entrySet().stream().filter(e -> Paths.UDEV_RULES.matcher(e.getKey()).matches())
                .filter(e -> e.getValue().text().lines().anyMatch(line -> overrides(line, address)))
                .map(Map.Entry::getKey).findFirst();
    }

    private static boolean overrides(String line, PciAddress address) {
        Matcher kernel = KERNEL.matcher(line);
        return !line.strip().startsWith("#") && kernel.find() && kernel.group(1).equals(address.toString())
                && OVERRIDE.matcher(line).find();
    }

    /** Modules that a file of the host names to be loaded at boot. */
    Set<String> loadedByName() {
        Set<String> names = new LinkedHashSet<>(names(Paths.MODULES));
        files.keySet().stream().filter(path -> Paths.MODULES_LOAD.matcher(path).matches())
                .forEach(path -> names.addAll(names(path)));
        return names;
    }

    private Set<String> names(String path) {
        Set<String> names = new LinkedHashSet<>();
        files.getOrDefault(path, Content.ABSENT).text().lines().map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(line -> Devices.name(line.split("\\s+")[0])).forEach(names::add);
        return names;
    }
}
