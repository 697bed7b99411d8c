package dev.pitwall.lab.kube.operator.discovery;

import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.World;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a worker finds on its node, as labels. (facts: cluster.md 1.2, 1.3) */
final class Features {
    static final String DOMAIN = "feature.node.kubernetes.io/";
    private static final String FOLDER = "/etc/kubernetes/node-feature-discovery/features.d/";
    /** "Ubuntu 24.04.3 LTS", "Debian GNU/Linux 12 (bookworm)", "Talos (v1.13.2)". */
    private static final Pattern OS = Pattern.compile("^(\\D+?) (?:Linux |GNU/Linux )?\\(?(v?)(\\d+(?:\\.\\d+)*).*$");
    private static final Pattern KERNEL = Pattern.compile("^(\\d+)\\.(\\d+)\\.(\\d+).*$");
    /** A QEMU guest's network card. */
    private static final Device VIRTIO_NET = new Device("0200", "1af4", "1041", "1af4", "1100");

    private final NodeMachine machine;

    Features(NodeMachine machine) {
        this.machine = machine;
    }

    private record Device(String kind, String vendor, String device, String subsystemVendor, String subsystemDevice) {
        static Device of(LabPci pci) {
            return new Device(pci.classCode.substring(0, 4), pci.vendorId, pci.deviceId, pci.subsystemVendor,
                    pci.subsystemDevice);
        }

        String label(List<String> fields) {
            return fields.stream().map(field -> switch (field) {
                case "class" -> kind;
                case "vendor" -> vendor;
                case "device" -> device;
                case "subsystem_vendor" -> subsystemVendor;
                default -> subsystemDevice;
            }).collect(Collectors.joining("_"));
        }
    }

    Map<String, String> labels(WorkerConfig config) {
        Map<String, String> labels = new TreeMap<>();
        labels.put(DOMAIN + "cpu-cpuid.AVX2", "true");
        system(labels);
        devices().stream().filter(device -> config.classes().stream().anyMatch(device.kind()::startsWith))
                .forEach(device -> labels.put(DOMAIN + "pci-" + device.label(config.fields()) + ".present", "true"));
        labels.putAll(machine.look(Features::local));
        return labels;
    }

    private void system(Map<String, String> labels) {
        String kernel = machine.driver().kernel();
        labels.put(DOMAIN + "kernel-version.full", kernel);
        Matcher version = KERNEL.matcher(kernel);
        if (version.matches()) {
            labels.put(DOMAIN + "kernel-version.major", version.group(1));
            labels.put(DOMAIN + "kernel-version.minor", version.group(2));
            labels.put(DOMAIN + "kernel-version.revision", version.group(3));
        }
        Matcher os = OS.matcher(machine.look((world, node) -> node.osImage));
        if (os.matches()) {
            String[] parts = os.group(3).split("\\.");
            boolean ubuntu = os.group(1).startsWith("Ubuntu");
            String id = parts.length > 1 && ubuntu ? parts[0] + "." + parts[1] : os.group(2) + os.group(3);
            labels.put(DOMAIN + "system-os_release.ID", osId(os.group(1)));
            labels.put(DOMAIN + "system-os_release.VERSION_ID", id);
            labels.put(DOMAIN + "system-os_release.VERSION_ID.major", parts[0]);
            if (parts.length > 1) {
                labels.put(DOMAIN + "system-os_release.VERSION_ID.minor", parts[1]);
            }
        }
    }

    /** The ID of an os-release from the name that people read. */
    private static String osId(String name) {
        return name.startsWith("Red Hat") ? "rhel" : name.split("[ /]")[0].toLowerCase(Locale.ROOT);
    }

    private List<Device> devices() {
        return machine.look((world, node) -> node.vmid == 0 ? ofHost(world, node) : ofGuest(world, node));
    }

    private static List<Device> ofHost(World world, LabNode node) {
        LabHost host = world.hosts.get(node.host);
        return host.pci.stream().filter(pci -> !pci.removed).map(Device::of).toList();
    }

    private static List<Device> ofGuest(World world, LabNode node) {
        LabHost host = world.hosts.get(node.host);
        List<Device> devices = new ArrayList<>(List.of(VIRTIO_NET));
        host.pci.stream().filter(pci -> node.cards.contains(host.name + "/" + slot(pci))
               ).map(Device::of).forEach(devices::add);
        return devices;
    }

    private static String slot(LabPci pci) {
        return pci.address.substring(0, pci.address.lastIndexOf('.'));
    }

    /** Lines that others have left: {@code name=value}, in NVIDIA's or NFD's domain. */
    private static Map<String, String> local(World world, LabNode node) {
        Map<String, String> labels = new TreeMap<>();
        world.files(node.name).orElse(node.files).forEach((path, bytes) -> {
            if (path.startsWith(FOLDER)) {
                new String(bytes, StandardCharsets.UTF_8).lines().map(String::strip)
                        .filter(line -> line.matches("[A-Za-z0-9./_-]+=[A-Za-z0-9._-]*"))
                        .forEach(line -> labels.put(full(line.substring(0, line.indexOf('='))),
                                line.substring(line.indexOf('=') + 1)));
            }
        });
        return labels;
    }

    private static String full(String name) {
        return name.contains("/") ? name : DOMAIN + name;
    }
}
