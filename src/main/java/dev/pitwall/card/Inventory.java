package dev.pitwall.card;

import dev.pitwall.card.CardPlace.Share;
import dev.pitwall.card.CardPlace.Substrate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds every card of a site and joins what the sources say about it.
 *
 * <p>A VM and its node are joined by SMBIOS UUID against {@code nodeInfo.systemUUID}, never by name: names differ or
 * repeat, the UUID is what the guest reads from the VM's own firmware table. A card in a VM with several cards is told
 * from its neighbours by product name where that decides, else by order: QEMU gives {@code hostpciN} ascending guest
 * buses.
 */
final class Inventory {
    private final SiteFacts facts;
    private final VirtualMachines virtual;
    private final Map<String, NodeReport> nodesByUuid;
    private final Map<String, List<TelemetryReport.Sample>> samplesByNode;
    private final Map<String, List<PodReport>> podsByNode = new HashMap<>();
    private final Map<String, VmOnHost> vmsByUuid = new HashMap<>();

    private record VmOnHost(String host, VmReport vm) {
    }

    /** A card of a physical machine before it is joined to a node. */
    private record Slot(String host, PciAddress address, Substrate substrate, List<PciFunction> functions,
                        Optional<VmReport> holder, Optional<VmReport> worker) {
    }

    Inventory(SiteFacts facts, VirtualMachines virtual) {
        this.facts = facts;
        this.virtual = virtual;
        List<NodeReport> nodes = facts.cluster().flatMap(Observed::value).map(ClusterReport::nodes).orElse(List.of());
        this.nodesByUuid = nodes.stream().filter(n -> n.systemUuid().isPresent())
                .collect(Collectors.toMap(n -> n.systemUuid().get(), Function.identity(), (a, b) -> a));
        this.samplesByNode = facts.telemetry().flatMap(Observed::value).map(TelemetryReport::samples)
                .orElse(List.of()).stream().collect(Collectors.groupingBy(TelemetryReport.Sample::node));
        facts.cluster().flatMap(Observed::value).map(ClusterReport::pods).orElse(List.of())
                .forEach(pod -> pod.node().or(pod::targetNode).ifPresent(node ->
                        podsByNode.computeIfAbsent(node, n -> new ArrayList<>()).add(pod)));
        facts.hosts().forEach((name, report) -> report.value().ifPresent(host -> host.vms().forEach(vm ->
                vm.smbiosUuid().ifPresent(uuid -> vmsByUuid.put(uuid, new VmOnHost(name, vm))))));
    }

    /** All cards, by host name and address. */
    List<CardPlace> cards() {
        List<Slot> slots = new ArrayList<>(proxmoxSlots());
        slots.addAll(bareMetalSlots());
        Map<String, List<Slot>> slotsByNode = new TreeMap<>();
        List<CardPlace> places = new ArrayList<>();
        List<Slot> withoutNode = new ArrayList<>();
        for (Slot slot : slots) {
            nodeOf(slot).ifPresentOrElse(node -> slotsByNode.computeIfAbsent(node.name(), n -> new ArrayList<>()).add(slot),
                    () -> withoutNode.add(slot));
        }
        slotsByNode.forEach((name, ofNode) -> places.addAll(joinDevices(ofNode)));
        List<CardPlace> onlyInTheCluster = cardsOnlyTheClusterKnows(slotsByNode);
        // A card is counted once: while its host's API has not answered, the node's side stands for it.
        withoutNode.stream().filter(slot -> onlyInTheCluster.isEmpty() || apiHasAnswered(slot))
                .map(slot -> place(slot, Optional.empty(), Optional.empty(), new Share(0, 1))).forEach(places::add);
        places.addAll(onlyInTheCluster);
        places.sort(Comparator.comparing(CardPlace::host)
                .thenComparing(p -> p.slot().map(PciAddress::toString).orElse(""))
                .thenComparing(CardPlace::id));
        return places;
    }

    private List<Slot> proxmoxSlots() {
        List<Slot> slots = new ArrayList<>();
        facts.hosts().forEach((name, observed) -> {
            Map<PciAddress, List<PciFunction>> bySlot = functionsBySlot(name, observed);
            bySlot.forEach((address, functions) -> {
                List<VmReport> vms = observed.value().map(HostReport::vms).orElse(List.of()).stream()
                        .filter(vm -> !vm.template()).toList();
                slots.add(new Slot(name, address, Substrate.PROXMOX, functions,
                        holder(vms, observed, address), worker(vms, observed, address)));
            });
        });
        return slots;
    }

    /** Slots with an NVIDIA GPU; the shell's list is preferred since it also knows the drivers. */
    private Map<PciAddress, List<PciFunction>> functionsBySlot(String host, Observed<HostReport> api) {
        List<PciFunction> fromApi = api.value().map(HostReport::functions).orElse(List.of());
        List<PciFunction> fromShell = Optional.ofNullable(facts.machines().get(host)).flatMap(Observed::value)
                .map(Inventory::functionsWithGroups).orElse(List.of());
        return gpuSlots(fromShell.isEmpty() ? fromApi : fromShell);
    }

    private static List<PciFunction> functionsWithGroups(MachineReport machine) {
        return machine.functions().stream().map(f -> {
            Integer group = machine.groups().get(f.address());
            return group == null ? f : f.inGroup(group);
        }).toList();
    }

    private static Map<PciAddress, List<PciFunction>> gpuSlots(List<PciFunction> functions) {
        Map<PciAddress, List<PciFunction>> bySlot = functions.stream().collect(
                Collectors.groupingBy(f -> f.address().slot(), TreeMap::new, Collectors.toList()));
        bySlot.values().removeIf(list -> list.stream().noneMatch(PciFunction::isNvidiaGpu));
        return bySlot;
    }

    private static Optional<VmReport> holder(List<VmReport> vms, Observed<HostReport> host, PciAddress slot) {
        return vms.stream().filter(vm -> vm.status() == VmReport.Status.RUNNING || vm.status() == VmReport.Status.PAUSED)
                .filter(vm -> covers(vm.runningPassthrough(), host, slot)).findFirst();
    }

    private Optional<VmReport> worker(List<VmReport> vms, Observed<HostReport> host, PciAddress slot) {
        List<VmReport> configured = vms.stream().filter(vm -> covers(vm.passthrough(), host, slot)
                || covers(vm.runningPassthrough(), host, slot)).toList();
        return configured.stream().filter(vm -> vm.smbiosUuid().filter(this::isNode).isPresent()).findFirst()
                .or(() -> holder(vms, host, slot))
                .or(() -> configured.stream().findFirst());
    }

    private boolean isNode(String uuid) {
        return node(uuid).isPresent();
    }

    private static boolean covers(List<VmReport.Passthrough> entries, Observed<HostReport> host, PciAddress slot) {
        return entries.stream().anyMatch(entry -> addressesOf(entry, host).stream().anyMatch(slot::sameSlot));
    }

    /** The host addresses an entry names, a mapping looked up among the host's own entries. */
    static List<PciAddress> addressesOf(VmReport.Passthrough entry, Observed<HostReport> host) {
        if (entry.mapping().isEmpty()) {
            return entry.addresses();
        }
        return host.value().map(HostReport::mappings).map(m -> m.get(entry.mapping().get())).orElse(List.of())
                .stream().flatMap(m -> m.paths().stream()).toList();
    }

    /** Machines with a shell that are neither a Proxmox host nor a VM of one. */
    private List<Slot> bareMetalSlots() {
        List<Slot> slots = new ArrayList<>();
        facts.machines().forEach((name, observed) -> {
            boolean physical = !facts.hosts().containsKey(name) && observed.value()
                    .flatMap(MachineReport::systemUuid).filter(uuid -> vm(uuid).isEmpty()).isPresent();
            if (physical && unknownHost().isEmpty() && observed.value().filter(this::isVirtual).isEmpty()) {
                gpuSlots(observed.value().map(Inventory::functionsWithGroups).orElse(List.of()))
                        .forEach((address, functions) -> slots.add(new Slot(name, address, Substrate.BARE_METAL,
                                functions, Optional.empty(), Optional.empty())));
            }
        });
        return slots;
    }

    private boolean apiHasAnswered(Slot slot) {
        return slot.substrate() != Substrate.PROXMOX
                || Optional.ofNullable(facts.hosts().get(slot.host())).flatMap(Observed::value).isPresent();
    }

    /** A host that has never answered: a machine or node that no known host has may be one of its VMs. */
    private Optional<Observed<HostReport>> unknownHost() {
        return facts.hosts().entrySet().stream().sorted(Map.Entry.comparingByKey()).map(Map.Entry::getValue)
                .filter(h -> h.value().isEmpty()).findFirst();
    }

    /** A guest shows its hypervisor in its DMI tables, and GFD repeats that as {@code gpu.machine}. */
    private boolean isVirtual(MachineReport machine) {
        return machine.product().filter(virtual::matches).isPresent() || machine.systemUuid().flatMap(this::node)
                .map(n -> n.labels().get("nvidia.com/gpu.machine")).filter(virtual::matches).isPresent();
    }

    private Optional<NodeReport> nodeOf(Slot slot) {
        return switch (slot.substrate()) {
            case PROXMOX -> slot.worker().flatMap(VmReport::smbiosUuid).flatMap(this::node);
            case BARE_METAL -> machine(slot.host()).flatMap(Observed::value).flatMap(MachineReport::systemUuid)
                    .flatMap(this::node);
            case UNSEEN, HIDDEN -> Optional.empty();
        };
    }

    private Optional<NodeReport> node(String uuid) {
        return Optional.ofNullable(nodesByUuid.get(uuid)).or(() -> Optional.ofNullable(
                nodesByUuid.get(SystemUuid.otherByteOrder(uuid))));
    }

    private Optional<VmOnHost> vm(String uuid) {
        return Optional.ofNullable(vmsByUuid.get(uuid)).or(() -> Optional.ofNullable(
                vmsByUuid.get(SystemUuid.otherByteOrder(uuid))));
    }

    private Optional<Observed<MachineReport>> machine(String name) {
        return Optional.ofNullable(facts.machines().get(name));
    }

    private List<CardPlace> joinDevices(List<Slot> slots) {
        NodeReport node = nodeOf(slots.getFirst()).orElseThrow();
        List<GpuDevice> devices = devicesOf(node.name());
        List<Slot> ordered = slots.stream().sorted(Comparator.comparing((Slot s) -> passthroughKey(s))
                .thenComparing(Slot::address)).toList();
        Map<Slot, GpuDevice> matched = DeviceMatch.match(ordered, devices, Slot::address,
                s -> ProductName.ofFunctions(s.functions()),
                slots.getFirst().substrate() == Substrate.BARE_METAL
                        ? DeviceMatch.By.ADDRESS : DeviceMatch.By.NAME_THEN_ORDER);
        List<CardPlace> places = new ArrayList<>();
        for (int i = 0; i < ordered.size(); i++) {
            places.add(place(ordered.get(i), Optional.of(node), Optional.ofNullable(matched.get(ordered.get(i))),
                    new Share(i, ordered.size())));
        }
        return places;
    }

    private String passthroughKey(Slot slot) {
        return slot.worker().map(vm -> vm.passthrough()).orElse(List.of()).stream()
                .filter(entry -> addressesOf(entry, facts.hosts().get(slot.host())).stream()
                        .anyMatch(slot.address()::sameSlot))
                .map(VmReport.Passthrough::key).findFirst()
                .map(key -> "%04d".formatted(Integer.parseInt("0" + key.replaceAll("\\D", "")))).orElse("");
    }

    /** The devices of a node, as its driver lists them, else as DCGM does; in bus order. */
    private List<GpuDevice> devicesOf(String node) {
        List<GpuDevice> fromShell = machine(node).flatMap(Observed::value).map(MachineReport::gpus).orElse(List.of());
        List<GpuDevice> fromDcgm = samplesByNode.getOrDefault(node, List.of()).stream()
                .map(TelemetryReport.Sample::gpu).toList();
        return (fromShell.size() >= fromDcgm.size() ? fromShell : fromDcgm).stream()
                .sorted(Comparator.comparing(g -> g.busId().map(PciAddress::toString).orElse(""))).toList();
    }

    private List<CardPlace> cardsOnlyTheClusterKnows(Map<String, List<Slot>> joined) {
        List<CardPlace> places = new ArrayList<>();
        List<NodeReport> nodes = facts.cluster().flatMap(Observed::value).map(ClusterReport::nodes).orElse(List.of());
        for (NodeReport node : nodes) {
            if (joined.containsKey(node.name()) || !GpuNodes.hasGpu(node)) {
                continue;
            }
            List<GpuDevice> devices = devicesOf(node.name());
            int count = Math.max(Math.max(devices.size(), GpuNodes.physicalCards(node)), 1);
            for (int i = 0; i < count; i++) {
                places.add(unseen(node, i < devices.size() ? Optional.of(devices.get(i)) : Optional.empty(),
                        new Share(i, count)));
            }
        }
        return places;
    }

    private CardPlace unseen(NodeReport node, Optional<GpuDevice> gpu, Share share) {
        Optional<TelemetryReport.Sample> sample = sample(node.name(), gpu);
        Optional<Observed<HostReport>> silent = unknownHost();
        return new CardPlace(node.name(), Optional.empty(), silent.isPresent() ? Substrate.HIDDEN : Substrate.UNSEEN,
                List.of(), silent, Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(node), pods(node.name()),
                machine(node.name()), gpu, sample, server(node.name(), sample, share), share);
    }

    private CardPlace place(Slot slot, Optional<NodeReport> node, Optional<GpuDevice> gpu, Share share) {
        Optional<TelemetryReport.Sample> sample = node.flatMap(n -> sample(n.name(), gpu));
        Optional<Observed<MachineReport>> nodeShell = node.flatMap(n -> machine(n.name()));
        return new CardPlace(slot.host(), Optional.of(slot.address()), slot.substrate(), slot.functions(),
                Optional.ofNullable(facts.hosts().get(slot.host())), machine(slot.host()), slot.holder(),
                slot.worker(), node, node.map(n -> pods(n.name())).orElse(List.of()), nodeShell, gpu, sample,
                node.flatMap(n -> server(n.name(), sample, share)), share);
    }

    private List<PodReport> pods(String node) {
        return podsByNode.getOrDefault(node, List.of());
    }

    private Optional<TelemetryReport.Sample> sample(String node, Optional<GpuDevice> gpu) {
        List<TelemetryReport.Sample> samples = samplesByNode.getOrDefault(node, List.of());
        return gpu.flatMap(GpuDevice::uuid).flatMap(uuid -> samples.stream()
                .filter(s -> s.gpu().uuid().filter(uuid::equals).isPresent()).findFirst());
    }

    /** The server on this card: by the pod DCGM names, else by its node where that has only this card. */
    private Optional<Observed<ServerReport>> server(String node, Optional<TelemetryReport.Sample> sample,
                                                    Share share) {
        Map<String, SiteFacts.ServerPlace> onNode = new LinkedHashMap<>();
        facts.serverPlaces().entrySet().stream().sorted(Map.Entry.comparingByKey())
                .filter(e -> e.getValue().node().filter(node::equals).isPresent())
                .forEach(e -> onNode.put(e.getKey(), e.getValue()));
        Optional<String> workload = sample.flatMap(TelemetryReport.Sample::workload);
        return onNode.entrySet().stream()
                .filter(e -> share.of() == 1 || workload.isPresent() && workload.equals(podOf(e.getValue())))
                .map(e -> facts.servers().get(e.getKey())).filter(Objects::nonNull).findFirst();
    }

    private static Optional<String> podOf(SiteFacts.ServerPlace place) {
        return place.namespace().flatMap(ns -> place.pod().map(pod -> ns + "/" + pod));
    }
}
