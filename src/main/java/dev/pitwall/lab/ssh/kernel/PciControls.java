package dev.pitwall.lab.ssh.kernel;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.FileTrouble.Cause;
import dev.pitwall.lab.ssh.Machine;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the kernel does when somebody writes to the PCI files under {@code /sys}: drivers let go of devices and take
 * others, functions leave the bus and come back.
 */
public final class PciControls {
    private static final Pattern DEVICE = Pattern.compile("/sys/devices/pci[^/]+/([0-9a-f:.]+)/(\\w+)");
    private static final Pattern DRIVER = Pattern.compile("/sys/bus/pci/drivers/([^/]+)/(\\w+)");
    private static final Duration LOOKS_AGAIN = Duration.ofSeconds(1);

    private final Machine machine;

    public PciControls(Machine machine) {
        this.machine = machine;
    }

    /** @throws FileTrouble in the kernel's words, if it takes no such value */
    public void write(String path, String content) throws FileTrouble {
        Matcher device = DEVICE.matcher(path);
        Matcher driver = DRIVER.matcher(path);
        if (path.equals("/sys/bus/pci/rescan")) {
            change((devices, s) -> rescan(s));
        } else if (path.equals("/sys/bus/pci/drivers_probe")) {
            change((devices, s) -> probe(s, device(devices, content, path)));
        } else if (driver.matches()) {
            toDriver(driver.group(1), driver.group(2), content, path);
        } else if (device.matches()) {
            toDevice(device.group(1), device.group(2), content, path);
        } else {
            throw new FileTrouble(Cause.DENIED, path);
        }
    }

    /** Something that may be refused. */
    private interface Work {
        void run(LiveDevices devices, LabSystem system) throws FileTrouble;
    }

    private void change(Work work) throws FileTrouble {
        AtomicReference<Optional<FileTrouble>> refused = new AtomicReference<>(Optional.empty());
        machine.change((w, s) -> {
            try {
                work.run(new LiveDevices(w, machine.name(), s), s);
            } catch (FileTrouble e) {
                refused.set(Optional.of(e));
            }
        });
        if (refused.get().isPresent()) {
            throw refused.get().get();
        }
    }

    private void toDevice(String address, String attribute, String content, String path) throws FileTrouble {
        switch (attribute) {
            case "driver_override" -> change((devices, s) -> device(devices, address, path)
                    .override(content.equals("(null)") ? "" : content));
            case "remove" -> {
                requireOne(content, path);
                awaitFree(address);
                change((devices, s) -> remove(devices, s, address, path));
            }
            case "rescan" -> change((devices, s) -> rescan(s));
            case "reset" -> {
                requireOne(content, path);
                change((devices, s) -> reset(devices, s, address, path));
            }
            default -> throw new FileTrouble(Cause.DENIED, path);
        }
    }

    private static void requireOne(String content, String path) throws FileTrouble {
        if (!content.equals("1")) {
            throw new FileTrouble(Cause.INVALID, path);
        }
    }

    private void toDriver(String driver, String attribute, String content, String path) throws FileTrouble {
        switch (attribute) {
            case "unbind" -> {
                awaitFree(content);
                change((devices, s) -> unbind(devices, s, driver, content, path));
            }
            case "bind" -> change((devices, s) -> bind(s, driver, device(devices, content, path), path));
            case "new_id" -> change((devices, s) -> newId(devices, s, driver, content, path));
            case "remove_id" -> change((devices, s) -> {
                if (!s.dynamicIds.remove(driver + " " + id(content, path))) {
                    throw new FileTrouble(Cause.NO_DEVICE, path);
                }
            });
            default -> throw new FileTrouble(Cause.DENIED, path);
        }
    }

    private static LiveDevices.Device device(LiveDevices devices, String address, String path) throws FileTrouble {
        return devices.at(address).orElseThrow(() -> new FileTrouble(Cause.NO_DEVICE, path));
    }

    /** The write returns only when the device is no longer used: a VM that holds it must stop first. */
    private void awaitFree(String address) throws FileTrouble {
        World world = machine.world();
        try {
            while (machine.look((w, s) -> new LiveDevices(w, machine.name(), s).at(address)
                    .filter(LiveDevices.Device::isInUse).isPresent())) {
                world.clock().await(world.clock().instant().plus(LOOKS_AGAIN));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FileTrouble(Cause.BUSY, address);
        }
    }

    private void unbind(LiveDevices devices, LabSystem s, String driver, String address, String path)
            throws FileTrouble {
        LiveDevices.Device device = device(devices, address, path);
        if (!device.driver().equals(driver)) {
            throw new FileTrouble(Cause.NO_DEVICE, path);
        }
        device.driver("");
        if (driver.equals(DriverBinding.VFIO)) {
            s.log(machine.world().clock().instant(), "vfio-pci " + address + ": Relaying device request to user (#0)");
        }
    }

    private void bind(LabSystem s, String driver, LiveDevices.Device device, String path) throws FileTrouble {
        if (!device.driver().isEmpty()) {
            throw new FileTrouble(Cause.BUSY, path);
        }
        if (!matches(s, driver, device)) {
            throw new FileTrouble(Cause.NO_DEVICE, path);
        }
        if (driver.equals(DriverBinding.VFIO) && !device.grouped()) {
            throw new FileTrouble(Cause.INVALID, path);
        }
        take(s, driver, device);
    }

    private void newId(LiveDevices devices, LabSystem s, String driver, String content, String path)
            throws FileTrouble {
        String id = id(content, path);
        if (!s.dynamicIds.add(driver + " " + id)) {
            throw new FileTrouble(Cause.EXISTS, path);
        }
        devices.all().stream().filter(device -> device.id().equals(id) && device.driver().isEmpty()
                && matches(s, driver, device)).forEach(device -> take(s, driver, device));
    }

    /** {@code 10de 25b0}, as the kernel reads it. */
    private static String id(String content, String path) throws FileTrouble {
        String[] words = content.split("\\s+");
        if (words.length < 2) {
            throw new FileTrouble(Cause.INVALID, path);
        }
        return words[0] + ":" + words[1];
    }

    private void remove(LiveDevices devices, LabSystem s, String address, String path) throws FileTrouble {
        LiveDevices.Device device = device(devices, address, path);
        device.driver("");
        device.pci().removed = true;
        s.log(machine.world().clock().instant(), "pci " + address + ": Removing from iommu group "
                + device.pci().iommuGroup);
    }

    private void reset(LiveDevices devices, LabSystem s, String address, String path) throws FileTrouble {
        LiveDevices.Device device = device(devices, address, path);
        String slot = address.substring(0, address.lastIndexOf('.') + 1);
        boolean alone = devices.all().stream().filter(d -> d.address().startsWith(slot)).count() == 1;
        boolean own = List.of(device.pci().resetMethods.split("\\s+")).stream()
                .anyMatch(method -> !method.equals("bus"));
        if (!own && !alone) {
            throw new FileTrouble(Cause.WRONG_IOCTL, path);
        }
        s.log(machine.world().clock().instant(), driverName(device) + " " + address + ": resetting");
        s.log(machine.world().clock().instant(), driverName(device) + " " + address + ": reset done");
    }

    private static String driverName(LiveDevices.Device device) {
        return device.driver().isEmpty() ? "pci" : device.driver();
    }

    /** Functions that were taken off come back, and look for their driver. */
    private void rescan(LabSystem s) {
        World world = machine.world();
        LabNode node = world.nodes.get(machine.name());
        LabHost host = world.hosts.get(node == null ? machine.name() : node.host);
        if (host == null || node != null && node.vmid != 0) {
            return;
        }
        List<String> back = host.pci.stream().filter(pci -> pci.removed).map(pci -> pci.address).toList();
        host.pci.forEach(pci -> pci.removed = false);
        LiveDevices devices = new LiveDevices(world, machine.name(), s);
        back.forEach(address -> devices.at(address).ifPresent(device -> {
            device.override("");
            // The framebuffer that the firmware left is not set up again for a device that was taken off.
            probe(s, device);
        }));
    }

    /** A device without a driver looks for one: the override, an id that vfio-pci knows, its own. */
    public void probe(LabSystem s, LiveDevices.Device device) {
        if (!device.driver().isEmpty()) {
            return;
        }
        List<String> candidates = device.override().isEmpty()
                ? List.of(DriverBinding.VFIO, device.pci().defaultDriver) : List.of(device.override());
        candidates.stream().filter(driver -> !driver.isEmpty() && matches(s, driver, device)
                && isLoaded(s, driver, device)).findFirst().ifPresent(driver -> take(s, driver, device));
    }

    private boolean isLoaded(LabSystem s, String driver, LiveDevices.Device device) {
        String module = driver.equals(DriverBinding.VFIO) ? "vfio_pci" : DriverBinding.module(driver,
                device.pci().modules);
        return machine.moduleTable().loaded(machine.state(), module).isPresent()
                || !driver.equals(DriverBinding.VFIO) && !machine.modprobeConfig().isBlacklisted(module)
                && !s.withdrawn.contains(module);
    }

    private static boolean matches(LabSystem s, String driver, LiveDevices.Device device) {
        if (!device.override().isEmpty()) {
            return device.override().equals(driver) && (driver.equals(DriverBinding.VFIO)
                    || driver.equals(device.pci().defaultDriver));
        }
        if (!driver.equals(DriverBinding.VFIO)) {
            return driver.equals(device.pci().defaultDriver) || driver.equals("nvidia") && device.isNvidiaDisplay();
        }
        String ids = s.moduleOptions.getOrDefault("vfio_pci", Map.of()).getOrDefault("ids", "");
        return device.grouped() && (List.of(ids.split(",")).contains(device.id())
                || s.dynamicIds.contains(driver + " " + device.id()));
    }

    private static void take(LabSystem s, String driver, LiveDevices.Device device) {
        device.driver(driver);
        s.withdrawn.remove(DriverBinding.module(driver, device.pci().modules));
    }

    /** Lets a module that has come take the devices that wait for it. */
    void offer(LabSystem s, LiveDevices devices, String module) {
        devices.all().stream().filter(device -> device.driver().isEmpty()).forEach(device -> {
            String driver = module.equals("vfio_pci") ? DriverBinding.VFIO
                    : device.usualModule().equals(module) ? device.pci().defaultDriver : "";
            if (!driver.isEmpty() && matches(s, driver, device)) {
                take(s, driver, device);
            }
        });
    }
}
