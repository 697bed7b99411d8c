package dev.pitwall.journey.host;

import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.lab.ssh.kernel.DriverBinding;
import dev.pitwall.lab.ssh.kernel.Initramfs;
import dev.pitwall.lab.ssh.kernel.ModprobeConfig;
import dev.pitwall.read.KernelCommandLine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a plan makes of a host: its files are written, its commands and the reboot pretended. Who gets a device is decided by
 * the practice lab's kernel, which shares no code with the steps.
 */
final class Reboot {
    private static final Pattern UDEV = Pattern.compile(
            "(?m)^ACTION==\"add\".*KERNEL==\"([0-9a-f:.]+)\".*ATTR\\{driver_override}=\"([^\"]*)\"$");
    /** Each function's driver without anybody's wish, by address. */
    private final Map<String, String> usual = new HashMap<>();

    private final HostBuilder host;

    /** @param host as it is before: its drivers are those that it boots with */
    Reboot(HostBuilder host) {
        this.host = host;
        host.functions.forEach(f -> usual.put(f.address().toString(), usual(f)));
    }

    private static String usual(PciFunction f) {
        return f.driver().filter(d -> !d.equals("vfio-pci")).orElse(f.modules().stream()
                .filter(m -> !m.equals("nvidiafb")).findFirst().map(m -> m.equals("xhci_pci") ? "xhci_hcd" : m).orElse(""));
    }

    /** Writes files as a run does: each only over what it was planned for. */
    void write(List<? extends Change> changes) {
        for (Change change : changes) {
            switch (change) {
                case FileChange f -> {
                    Content there = host.files.getOrDefault(f.path(), Content.ABSENT);
                    if (!there.equals(f.before())) {
                        throw new AssertionError("planned for another " + f.path() + ": " + there.text());
                    }
                    host.files.put(f.path(), f.after());
                    if (f.after().absent()) {
                        host.files.remove(f.path());
                    }
                }
                case CommandChange c -> { }
                case HostReboot r -> { }
                default -> throw new AssertionError("not of this step: " + change);
            }
        }
    }

    void boot() {
        host.cmdline(commandLine());
        boolean on = on();
        host.units = new ArrayList<>(on ? List.of("dmar0") : List.of());
        host.groups = new HashMap<>(on ? host.wired : Map.of());
        drivers(on);
    }

    private String commandLine() {
        List<String> old = host.commandLine.options();
        if (host.loader == KernelCommandLine.Loader.GRUB) {
            TreeMap<String, Content> scripts = new TreeMap<>();
            host.files.forEach((path, content) -> {
                if (path.startsWith("/etc/default/grub")) {
                    scripts.put(path, content);
                }
            });
            return old.get(0) + " " + old.get(1) + " ro " + String.join(" ", GrubScript.words(scripts.values()));
        }
        return old.get(0) + " " + host.files.get("/etc/kernel/cmdline").text().strip();
    }

    /** True if its kernel runs the IOMMU with this command line. */
    boolean runs() {
        return on();
    }

    private boolean on() {
        List<String> words = host.commandLine.options();
        if (host.tables.isEmpty() || words.contains("iommu=off") || words.contains("amd_iommu=off")) {
            return false;
        }
        boolean off = words.stream().anyMatch(w -> w.startsWith("intel_iommu=") && w.contains("off"));
        boolean old = host.kernel.startsWith("5.") || host.kernel.startsWith("6.2") || host.kernel.startsWith("6.5");
        return host.vendor.equals("AuthenticAMD") || !off && (!old || words.contains("intel_iommu=on"));
    }

    private void drivers(boolean on) {
        Map<String, byte[]> bytes = new TreeMap<>();
        host.files.forEach((path, content) -> bytes.put(path, content.text().getBytes(StandardCharsets.UTF_8)));
        ModprobeConfig config = ModprobeConfig.of(bytes, String.join(" ", host.commandLine.options()));
        Set<String> late = new HashSet<>(Initramfs.late(bytes));
        DriverBinding binding = new DriverBinding(config, Set.of(), late, overrides(), Set.of());
        host.functions = new ArrayList<>(host.functions.stream().map(f -> f.isBridge() ? f : with(f, binding.driverOf(
                new DriverBinding.Device(f.address().toString(), f.vendorDevice().orElse(""),
                        usual.get(f.address().toString()), f.modules(), f.isNvidiaGpu(), on)))).toList());
        host.parameters.clear();
        if (late.contains("vfio_pci") || host.functions.stream().anyMatch(f -> f.driver().equals(Optional.of("vfio-pci")))) {
            host.parameters.put("vfio_pci.disable_idle_d3",
                    config.options("vfio_pci").getOrDefault("disable_idle_d3", "0").equals("1") ? "Y" : "N");
        }
    }

    private Map<String, String> overrides() {
        Map<String, String> overrides = new HashMap<>();
        host.files.forEach((path, content) -> {
            Matcher m = UDEV.matcher(path.startsWith("/etc/udev/rules.d/") ? content.text() : "");
            while (m.find()) {
                overrides.put(m.group(1), m.group(2));
            }
        });
        return overrides;
    }

    private static PciFunction with(PciFunction f, String driver) {
        return new PciFunction(f.address(), f.classCode(), f.className(), f.vendorId(), f.deviceId(), f.name(),
                f.subsystemId(), Optional.of(driver).filter(d -> !d.isEmpty()), f.modules(), f.iommuGroup(), f.revision());
    }
}
