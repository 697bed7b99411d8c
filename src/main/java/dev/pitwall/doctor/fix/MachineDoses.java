package dev.pitwall.doctor.fix;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PackageChange.Manager;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.survey.HostFiles;
import dev.pitwall.journey.survey.NodePods;
import dev.pitwall.read.PropertyText;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Doses that are about the machines of the finding's nodes; what needs a shell is not for a node without one in the site. */
final class MachineDoses {
    private static final Duration REBOOT_TAKES = Duration.ofMinutes(2);
    /** A guest that does not shut down in time stops the run; nothing is cut off. */
    private static final Duration SHUTDOWN_LIMIT = Duration.ofMinutes(3);
    private static final Duration REBOOT_LIMIT = Duration.ofMinutes(15);
    private static final Duration INSTALL_TAKES = Duration.ofMinutes(2);
    private static final Duration INSTALL_LIMIT = Duration.ofMinutes(30);
    private static final Pattern POLICY = Pattern.compile(
            "(?m)^(\\S+):\\n  Installed: (\\S+)\\n  Candidate: (\\S+)$");
    private static final List<String> NO_NOUVEAU = List.of("blacklist nouveau", "options nouveau modeset=0");
    private static final Pattern DISK = Pattern.compile("(?:scsi|virtio|sata|ide)\\d+");
    private static final String NONE = "(none)";
    /** Ubuntu ends a kernel's name with its flavour, Debian with the architecture: 6.8.0-90-generic, 6.12.48+deb13-amd64. */
    private static final Pattern FLAVOUR = Pattern.compile("\\d[^-]*-.*?([a-z][a-z0-9-]*)");

    private final Patient patient;

    MachineDoses(Patient patient) {
        this.patient = patient;
    }

    /** Their pods go down with them: they are rebooted because pods do not leave. */
    List<Change> reboot() throws TroubleException, InterruptedException {
        List<Change> changes = new ArrayList<>();
        List<JsonNode> pods = patient.pods();
        for (String node : patient.nodeNames()) {
            changes.addAll(boot(node, pods));
        }
        return changes;
    }

    /**
     * Nodes on which a pod that holds a card was asked to end and is kept by nothing but its runtime. Taken from the API by force it would run on with the card in its hands; a boot ends it for sure.
     */
    List<Change> rebootWherePodsStay() throws TroubleException, InterruptedException {
        List<Change> changes = new ArrayList<>();
        List<JsonNode> pods = patient.pods();
        for (String node : patient.nodeNames()) {
            if (pods.stream().anyMatch(pod -> stays(pod, node))) {
                changes.addAll(boot(node, pods));
            }
        }
        return changes;
    }

    /** What has a finalizer waits for whoever set it, and would after a boot too. */
    private static boolean stays(JsonNode pod, String node) {
        return pod.at("/spec/nodeName").asText("").equals(node) && pod.at("/metadata").has("deletionTimestamp")
                && PodDoses.asksForCard(pod) && pod.at("/metadata/finalizers").isEmpty();
    }

    /**
     * Keeps nouveau from being loaded at the next boot, in Pitwall's own modprobe file and in the image that the kernel starts
     * from, and boots (facts: cluster.md 6).
     */
    List<Change> nouveauAway() throws TroubleException, InterruptedException {
        List<Change> changes = new ArrayList<>();
        List<JsonNode> pods = patient.pods();
        for (String node : patient.nodeNames()) {
            Optional<String> machine = patient.machines().shell(node);
            if (machine.isPresent()) {
                changes.addAll(withoutNouveau(patient.systems().machine(machine.get())));
                changes.addAll(booting(reboot(machine.get(), node, pods), node, pods));
            }
        }
        return changes;
    }

    private static List<Change> withoutNouveau(Machine machine) throws TroubleException, InterruptedException {
        Content before = machine.read(HostFiles.MODPROBE);
        List<String> lines = new ArrayList<>(before.text().lines().toList());
        NO_NOUVEAU.stream().filter(line -> !lines.contains(line)).forEach(lines::add);
        Content after = Content.of(String.join("\n", lines) + "\n");
        boolean redHat = machine.run("cat", "/etc/os-release").output().lines()
                .anyMatch(line -> line.matches("ID(_LIKE)?=.*(rhel|fedora|centos).*"));
        List<String> image = redHat ? List.of("dracut", "-f", "--regenerate-all") : List.of("update-initramfs", "-u", "-k", "all");
        CommandChange carried = new CommandChange(machine.name(), image, "the image that the kernel starts from has it too",
                INSTALL_TAKES, INSTALL_LIMIT);
        return before.equals(after) ? List.of(carried)
                : List.of(new FileChange(machine.name(), HostFiles.MODPROBE, before, after, "nouveau is not loaded"), carried);
    }

    /** By its own shell; a node that has none, such as one with Talos, by its VM. */
    private List<Change> boot(String node, List<JsonNode> pods) {
        Optional<Change> boot = patient.machines().shell(node).<Change>map(machine -> reboot(machine, node, pods))
                .or(() -> patient.machines().vm(node).map(vm -> powerCycle(vm, node, pods)));
        return boot.map(change -> booting(change, node, pods)).orElse(List.of());
    }

    /** A boot, and what it leaves to be cleared away. */
    private List<Change> booting(Change boot, String node, List<JsonNode> pods) {
        return Stream.concat(Stream.of(boot), PodDoses.refusedAfterBoot(patient.cluster().name(), pods, node).stream()).toList();
    }

    private static VmPowerCycle powerCycle(NodeMachines.Vm vm, String node, List<JsonNode> pods) {
        return new VmPowerCycle(vm.host(), vm.vmid(), vm.name(), Optional.of(new NodeDown(node, vm.vmid(), Optional.empty(),
                NodePods.leaving(pods, node))), SHUTDOWN_LIMIT, REBOOT_LIMIT);
    }

    /** The disks of the VM come first in its boot order, in the order that they have; other media stay where they are. */
    List<Change> bootFromDisk() throws TroubleException, InterruptedException {
        List<Change> changes = new ArrayList<>();
        List<JsonNode> pods = patient.pods();
        for (String node : patient.nodeNames()) {
            Optional<NodeMachines.Vm> vm = patient.machines().vm(node);
            if (vm.isPresent()) {
                Optional<VmConfigChange> order = disksFirst(vm.get(), patient.systems().proxmox(vm.get().host())
                        .get("nodes/" + vm.get().host() + "/qemu/" + vm.get().vmid() + "/config"));
                order.ifPresent(change -> {
                    changes.add(change);
                    changes.addAll(booting(powerCycle(vm.get(), node, pods), node, pods));
                });
            }
        }
        return changes;
    }

    static Optional<VmConfigChange> disksFirst(NodeMachines.Vm vm, JsonNode config) {
        Optional<String> before = Optional.of(config.path("boot").asText("")).filter(b -> !b.isEmpty());
        List<String> order = List.of(PropertyText.parse(before.orElse(""), "legacy").get("order").orElse("").split(";"));
        Map<Boolean, List<String>> parts = Stream.concat(order.stream(), config.properties().stream().map(Map.Entry::getKey)
                        .filter(key -> DISK.matcher(key).matches()).sorted()).filter(key -> !key.isEmpty()).distinct()
                .collect(Collectors.partitioningBy(key -> isDisk(config, key)));
        String after = "order=" + String.join(";", Stream.concat(parts.get(true).stream(),
                parts.get(false).stream().filter(order::contains)).toList());
        return parts.get(true).isEmpty() || before.equals(Optional.of(after)) ? Optional.empty()
                : Optional.of(new VmConfigChange(vm.host(), vm.vmid(), new TreeMap<>(Map.of("boot", before)),
                new TreeMap<>(Map.of("boot", Optional.of(after))), "the disk first"));
    }

    private static boolean isDisk(JsonNode config, String key) {
        return DISK.matcher(key).matches() && config.has(key) && !config.path(key).asText().contains("media=cdrom");
    }

    private static NodeReboot reboot(String machine, String node, List<JsonNode> pods) {
        return new NodeReboot(machine, Optional.empty(), NodePods.leaving(pods, node), REBOOT_TAKES, REBOOT_LIMIT);
    }

    /**
     * The kernel that the distribution's archive has now, with its headers, and a boot into it. Only where apt offers both in one
     * version: which kernel another system should run is for its administrator to say.
     */
    List<Change> kernelOfArchive() throws TroubleException, InterruptedException {
        List<Change> changes = new ArrayList<>();
        List<JsonNode> pods = patient.pods();
        for (String node : patient.nodeNames()) {
            Optional<String> machine = patient.machines().shell(node);
            Optional<PackageChange> packages = machine.isEmpty() ? Optional.empty()
                    : packages(patient.systems().machine(machine.get()));
            packages.ifPresent(change -> {
                changes.add(change);
                changes.addAll(booting(reboot(machine.get(), node, pods), node, pods));
            });
        }
        return changes;
    }

    private static Optional<PackageChange> packages(Machine machine) throws TroubleException, InterruptedException {
        Matcher flavour = FLAVOUR.matcher(machine.run("uname", "-r").output().strip());
        if (!flavour.matches()) {
            return Optional.empty();
        }
        List<String> names = List.of("linux-image-" + flavour.group(1), "linux-headers-" + flavour.group(1));
        Ran policy = machine.run(Stream.concat(Stream.of("apt-cache", "policy"), names.stream()).toArray(String[]::new));
        SortedMap<String, String> installed = new TreeMap<>();
        SortedMap<String, String> offered = new TreeMap<>();
        Matcher row = POLICY.matcher(policy.output());
        while (row.find()) {
            installed.put(row.group(1), row.group(2).equals(NONE) ? PackageChange.ABSENT : row.group(2));
            offered.put(row.group(1), row.group(3));
        }
        boolean both = offered.keySet().containsAll(names) && !offered.containsValue(NONE)
                && offered.values().stream().distinct().count() == 1;
        return !both || installed.equals(offered) ? Optional.empty() : Optional.of(PackageChange.of(machine.name(), Manager.APT,
                installed, offered, "the archive's present kernel and its headers", INSTALL_TAKES, INSTALL_LIMIT));
    }
}
