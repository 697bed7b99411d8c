package dev.pitwall.journey.guest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Proxmox.Caller;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.DatacenterSurvey.Memory;
import dev.pitwall.journey.survey.DatacenterSurvey.Storage;
import dev.pitwall.journey.survey.Grants;
import dev.pitwall.journey.survey.HostNodes;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.journey.survey.Shown;
import dev.pitwall.journey.survey.NodeSurvey;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.read.KernelCommandLine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A host with a card of two functions at 0000:01:00 in a group of its own, bound to vfio-pci, and VM 122, which runs
 * without it: what the tests of the VM steps change one thing of.
 */
final class Scene {
    static final Caller ROOT = new Caller("root@pam", false);
    static final Caller TOKEN = new Caller("root@pam!pitwall", true);
    static final String WORKER = "11111111-2222-3333-4444-555555555555";

    String proxmox = "8.4.14";
    Caller caller = ROOT;
    Grants grants = Grants.ALL;
    List<PciFunction> functions = new ArrayList<>(List.of(
            function("0000:00:01.0", "0604", "8086:a70d", "pcieport"),
            function("0000:01:00.0", "0300", "10de:25b0", "vfio-pci"),
            function("0000:01:00.1", "0403", "10de:2291", "vfio-pci")));
    final Map<PciAddress, Integer> groups = new HashMap<>(Map.of(address("0000:00:01.0"), 14,
            address("0000:01:00.0"), 14, address("0000:01:00.1"), 14));
    List<String> iommu = List.of("dmar0");
    Optional<SortedMap<String, List<String>>> mappings = Optional.of(new TreeMap<>());
    final Map<Integer, Guest> guests = new LinkedHashMap<>();
    final SortedMap<String, String> choices = new TreeMap<>();
    final SortedMap<String, String> config = new TreeMap<>(Map.of("name", "gpu-worker-1", "machine", "q35", "cpu", "host",
            "balloon", "0", "memory", "20480", "agent", "1", "ostype", "l26", "onboot", "1", "net0",
            "virtio=BC:24:11:00:00:01,bridge=vmbr0", "smbios1", "uuid=" + WORKER));
    Optional<SortedMap<String, String>> live = Optional.empty();
    String status = "running";
    Optional<String> qmp = Optional.of("running");
    Optional<String> lock = Optional.empty();
    Optional<Boolean> agent = Optional.of(true);
    long uptimeSeconds = 500;
    /** Whether whoever looked into the guest got an answer. */
    boolean insideAnswered = true;
    Optional<String> ha = Optional.empty();
    List<String> backups = List.of();
    List<String> nodes = List.of("pve1");
    Optional<NodeSurvey> node = Optional.empty();
    Optional<List<PciFunction>> seenInside = Optional.empty();
    Map<String, String> kubernetes = Map.of();
    Memory memory = new Memory(98_304, 60_000);
    boolean chosen = true;
    private final List<JsonNode> pods = new ArrayList<>();
    private final List<JsonNode> joined = new ArrayList<>();
    Optional<String> guestLock = Optional.empty();
    Optional<Trouble> clusterSilent = Optional.empty();

    static PciFunction function(String at, String classCode, String ids, String driver) {
        return new PciFunction(address(at), Optional.of(classCode), Optional.of(classCode.equals("0300")
                ? "VGA compatible controller" : classCode.equals("0403") ? "Audio device" : "Device"),
                Optional.of(ids.substring(0, 4)), Optional.of(ids.substring(5)), Optional.empty(),
                Optional.of("10de:1878"), Optional.of(driver).filter(d -> !d.isEmpty()), List.of(), OptionalInt.empty(),
                Optional.of("a1"));
    }

    static PciAddress address(String text) {
        return PciAddress.parse(text).orElseThrow();
    }

    Scene set(String key, String value) {
        config.put(key, value);
        return this;
    }

    Scene without(String key) {
        config.remove(key);
        return this;
    }

    Scene choose(String key, String value) {
        choices.put(key, value);
        return this;
    }

    private final Map<PciAddress, HostSurvey.FunctionState> states = new HashMap<>();

    /** @param methods as {@code reset_method} shows them */
    Scene reset(String function, String methods) {
        states.put(address(function), new HostSurvey.FunctionState(Optional.of(methods), Optional.empty(), Optional.empty(),
                Optional.empty()));
        return this;
    }

    Scene token(Map<String, List<String>> rights) {
        caller = TOKEN;
        Map<String, Map<String, Boolean>> byPath = new HashMap<>();
        rights.forEach((path, names) -> {
            Map<String, Boolean> each = new HashMap<>();
            names.forEach(name -> each.put(name, true));
            byPath.put(path, each);
        });
        grants = new Grants(false, byPath);
        return this;
    }

    /** A token that may do everything a token can. */
    Scene token() {
        return token(Map.of("/vms", List.of("VM.Config.HWType", "VM.Config.CPU", "VM.Config.Memory", "VM.Config.Options",
                "VM.PowerMgmt", "VM.Allocate", "VM.Clone"), "/mapping/pci", List.of("Mapping.Modify", "Mapping.Use"),
                "/storage", List.of("Datastore.AllocateSpace")));
    }

    Scene mapping(String id, String... entries) {
        mappings.orElseThrow().put(id, List.of(entries));
        return this;
    }

    Scene guest(int id, String name, String type, String state, Map<String, String> settings) {
        guests.put(id, new Guest(id, name, type, state, settings.getOrDefault("onboot", "0").equals("1"), settings));
        return this;
    }

    /**
     * A node of the site's cluster.
     *
     * @param uuid   of the VM that it is
     * @param labels as {@code key=value}
     */
    Scene joins(String name, String uuid, List<String> taints, String... labels) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.putObject("metadata").put("name", name);
        node.putObject("status").putObject("nodeInfo").put("systemUUID", uuid);
        node.withArray("/status/conditions").addObject().put("type", "Ready").put("status", "True");
        ObjectNode all = node.withObject("/metadata/labels").put("kubernetes.io/hostname", name);
        Arrays.stream(labels).map(l -> l.split("=", 2)).forEach(l -> all.put(l[0], l[1]));
        taints.forEach(key -> node.withArray("/spec/taints").addObject().put("key", key).put("effect", "NoSchedule"));
        joined.add(node);
        return this;
    }

    /** A pod that a ReplicaSet makes again, unless it is of nobody. */
    Scene pod(String name, String node, String owner) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = pod.putObject("metadata").put("namespace", "shop").put("name", name);
        if (!owner.isEmpty()) {
            metadata.putArray("ownerReferences").addObject().put("kind", "ReplicaSet").put("name", owner).put("controller", true);
        }
        pod.putObject("spec").put("nodeName", node);
        pods.add(pod);
        return this;
    }

    /** A worker VM that is a node, with what its configuration has beside its UUID. */
    Scene worker(int id, Map<String, String> settings, List<String> taints, String... labels) {
        String uuid = "11111111-2222-3333-4444-000000000" + id;
        Map<String, String> config = new HashMap<>(settings);
        config.put("smbios1", "uuid=" + uuid);
        return guest(id, "worker-" + id, "qemu", "running", config).joins("node-" + id, uuid, taints, labels);
    }

    Scene off() {
        status = "stopped";
        qmp = Optional.empty();
        return this;
    }

    /** The second card of the same kind, in a group of its own. */
    Scene twin() {
        functions.add(function("0000:02:00.0", "0300", "10de:25b0", "vfio-pci"));
        functions.add(function("0000:02:00.1", "0403", "10de:2291", "vfio-pci"));
        groups.put(address("0000:02:00.0"), 15);
        groups.put(address("0000:02:00.1"), 15);
        return this;
    }

    Situation situation() {
        Map<Integer, Guest> all = new TreeMap<>(guests);
        all.put(122, new Guest(122, "gpu-worker-1", "qemu", status, config.getOrDefault("onboot", "0").equals("1"), config,
                ha, backups, guestLock));
        if (chosen) {
            choices.putIfAbsent("vm", "122");
        }
        Situation.Subject card = new Situation.Subject("pve1/0000:01:00", "RTX A1000", "pve1", address("0000:01:00"));
        HostSurvey host = new HostSurvey("pve1", Optional.of(proxmox).filter(v -> !v.isEmpty()), "6.8.12-15-pve", "boot-1",
                1000, "GenuineIntel", true, "", new KernelCommandLine(KernelCommandLine.Loader.GRUB, List.of(), List.of()),
                KernelCommandLine.Loader.GRUB, iommu, List.of("DMAR"), groups, functions, states, Map.of(), List.of(), Map.of(),
                new TreeMap<>(), List.of(), List.copyOf(all.values()), List.of(), Map.of());
        DatacenterSurvey datacenter = new DatacenterSurvey(caller, grants, nodes, mappings, Optional.of(memory),
                List.of(new Storage("local", List.of("iso", "vztmpl"), 50L << 30, List.of("local:iso/debian-13.iso")),
                        new Storage("local-lvm", List.of("images", "rootdir"), 400L << 30, List.of())),
                OptionalInt.of(130), Map.of("node", shown("GET /nodes/pve1/status")));
        Situation unknown = new Situation(card, Choices.of(choices), host, Optional.empty(), Optional.of(datacenter), kubernetes);
        Situation open = joined.isEmpty() && clusterSilent.isEmpty() ? unknown
                : unknown.with(new HostNodes(Instant.EPOCH, "lab", joined, pods, clusterSilent));
        Optional<VmSurvey> vm = ChosenVm.of(open).equals(OptionalInt.of(122)) ? Optional.of(vm()) : Optional.empty();
        return vm.map(open::with).orElse(open).with(Optional.empty(), node);
    }

    private VmSurvey vm() {
        return new VmSurvey("pve1", 122, "gpu-worker-1", config, live.orElse(config), "digest", status, qmp, lock,
                status.equals("running") ? OptionalLong.of(uptimeSeconds) : OptionalLong.empty(), agent, ha, backups, caller,
                seenInside, Map.of("config", shown("GET /nodes/pve1/qemu/122/config"), "status",
                shown("GET /nodes/pve1/qemu/122/status/current"), "guest",
                new Shown(new Source(Source.Kind.PROXMOX, "pve1", "lspci -nnkD"), Instant.EPOCH, "", insideAnswered)));
    }

    private static Shown shown(String detail) {
        return new Shown(new Source(Source.Kind.PROXMOX, "pve1", detail), Instant.EPOCH, "", true);
    }

    Answer look(String step) {
        return GuestSteps.all().stream().filter(s -> s.id().equals(step)).findFirst().orElseThrow().look(situation());
    }

    /** As if Proxmox had taken the changes. */
    Scene after(List<Change> changes) {
        for (Change change : changes) {
            switch (change) {
                case VmConfigChange c -> c.after().forEach((key, value) -> {
                    if (!Optional.ofNullable(config.get(key)).equals(c.before().get(key))) {
                        throw new AssertionError("the guard would stop at " + key);
                    }
                    value.ifPresentOrElse(v -> config.put(key, v), () -> config.remove(key));
                });
                case MappingChange c -> {
                    if (!Optional.ofNullable(mappings.orElseThrow().get(c.id())).equals(c.before())) {
                        throw new AssertionError("the guard would stop at mapping " + c.id());
                    }
                    c.after().ifPresentOrElse(map -> mappings.orElseThrow().put(c.id(), map),
                            () -> mappings.orElseThrow().remove(c.id()));
                }
                default -> throw new AssertionError("not of this step: " + change);
            }
        }
        return this;
    }
}
