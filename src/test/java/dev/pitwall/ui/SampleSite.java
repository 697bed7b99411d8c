package dev.pitwall.ui;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.Reading;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble;
import dev.pitwall.site.Connection;
import dev.pitwall.site.Site;
import dev.pitwall.site.SiteView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A site with one card in every state the Garage knows. */
public final class SampleSite {

    public static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    public static final Site SITE =
            new Site("basement-id", "basement", List.of(), List.of(), Optional.empty(), Optional.empty(), List.of(), false);

    private static final String[] UP = {"IOMMU on · VT-d in DMAR", "vfio-pci holds 2 functions · group 14",
        "VM 121 running · q35 · hostpci0", "570.133.20 on 6.8.0-90-generic", "nvidia is the default · CDI on",
        "NVIDIA-RTX-A1000 · 8188 MiB", "1 of 1 held by ollama-a", "41 °C · 38 W · 71 % busy", "Test PASSED · 4.1 s",
        "ollama-a ready · 2 models loaded"};

    private SampleSite() {
    }

    public static SiteView view() {
        return view(List.of(up(), compiling(), pluginFailing(), bareMetal(), silent(), windows()));
    }

    public static SiteView view(List<Card> cards) {
        return new SiteView(SITE, NOW, cards, connections());
    }

    public static List<Connection> connections() {
        return List.of(live(Connection.Kind.PROXMOX, "pve1", 4), failing(), live(Connection.Kind.CLUSTER, "cluster", 1),
                live(Connection.Kind.PROMETHEUS, "prometheus", 11), live(Connection.Kind.MODELS, "ollama-a", 1));
    }

    public static Connection live(Connection.Kind kind, String name, int ageSeconds) {
        return new Connection(kind, name, Optional.of(NOW.minusSeconds(ageSeconds)), Optional.empty(), Optional.empty(),
                Optional.empty(), Duration.ofSeconds(10));
    }

    public static Connection failing() {
        return new Connection(Connection.Kind.PROXMOX, "pve4", Optional.of(NOW.minusSeconds(250)),
                Optional.of(new Trouble(Trouble.Kind.TIMEOUT, "pve4:8006", "no answer within 10 s",
                        "Check that pve4 is on and its network is up.")),
                Optional.of(NOW.minusSeconds(240)), Optional.of(NOW.plusSeconds(12)), Duration.ofSeconds(10));
    }

    public static Card up() {
        return card("pve1", "0000:01:00", "RTX A1000", 8188, "rke2-worker-dc1-gpu-a", ok(UP, 10), vm(121, "dc1-gpu-a"),
                Optional.of("ollama-a"));
    }

    /** A healthy card with another host and slot. */
    public static Card up(String host, String slot, String name) {
        return card(host, slot, name, 8188, "node-" + host, ok(UP, 10), vm(121, "gpu"), Optional.of("ollama-" + host));
    }

    public static Card compiling() {
        List<FloorStatus> floors = new ArrayList<>(ok(UP, 3));
        floors.add(new FloorStatus(Floor.DRIVER, FloorState.WAITING, "compiling · 1:42 of about 3 min", Optional.empty(),
                readings("nvidia-driver-ctr", "compiling", "pod/nvidia-driver-daemonset", 1),
                Optional.of(new FloorStatus.Progress(Duration.ofSeconds(102), Duration.ofMinutes(3)))));
        floors.add(waits(Floor.RUNTIME, "driver"));
        floors.add(status(Floor.DISCOVERY, FloorState.OK, "pci-10de.present · GFD waits for driver"));
        floors.add(waits(Floor.PLUGIN, "runtime"));
        floors.add(waits(Floor.TELEMETRY, "runtime"));
        floors.add(waits(Floor.PROOF, "plugin"));
        floors.add(waits(Floor.SERVER, "proof"));
        return card("pve2", "0000:01:00", "RTX A1000", 8188, "rke2-worker-dc2-gpu-a", floors, vm(122, "dc2-gpu-a"),
                Optional.empty());
    }

    public static Card pluginFailing() {
        List<FloorStatus> floors = new ArrayList<>(ok(UP, 6));
        floors.add(new FloorStatus(Floor.PLUGIN, FloorState.FAILING, "Untolerated taint",
                Optional.of("device-plugin-missing-toleration"), List.of(
                        reading("desired", "5, nodes labelled for it 6", "daemonset/nvidia-device-plugin-daemonset", 1),
                        reading("taints", "nvidia.com/gpu=true:NoSchedule", "node/rke2-worker-dc3-gpu-a .spec.taints", 1)),
                Optional.empty()));
        floors.add(status(Floor.TELEMETRY, FloorState.OK, "33 °C · 6 W · 0 % busy"));
        floors.add(status(Floor.PROOF, FloorState.BLOCKED, "blocked by plugin"));
        floors.add(status(Floor.SERVER, FloorState.BLOCKED, "blocked by plugin"));
        return card("pve3", "0000:01:00", "RTX A1000", 8188, "rke2-worker-dc3-gpu-a", floors, vm(123, "dc3-gpu-a"),
                Optional.empty());
    }

    public static Card bareMetal() {
        List<FloorStatus> floors = new ArrayList<>(ok(UP, 10));
        floors.set(0, status(Floor.FIRMWARE, FloorState.OK, "UEFI · Secure Boot off"));
        floors.set(1, status(Floor.VFIO, FloorState.NOT_APPLICABLE, "not needed: the node keeps the card"));
        floors.set(2, status(Floor.VM, FloorState.NOT_APPLICABLE, "no VM: the node is the machine"));
        floors.set(5, status(Floor.DISCOVERY, FloorState.OK, "NVIDIA-GeForce-RTX-3060 · 12288 MiB"));
        floors.set(6, status(Floor.PLUGIN, FloorState.OK, "1 of 1 held by churn-explore-0"));
        floors.set(7, status(Floor.TELEMETRY, FloorState.OK, "29 °C · 14 W · 0 % busy"));
        floors.set(8, new FloorStatus(Floor.PROOF, FloorState.OK, "Test PASSED · 3.6 s", Optional.empty(),
                readings("log", "Test PASSED", "pod/cuda-vectoradd", 17 * 86_400), Optional.empty()));
        floors.set(9, status(Floor.SERVER, FloorState.NOT_APPLICABLE, "none asked for here"));
        return card("metal1", "0000:0a:00", "RTX 3060", 12288, "rke2-worker-metal1", floors, Optional.empty(),
                Optional.empty());
    }

    public static Card silent() {
        String[] was = {"pve4 does not answer", "was vfio-pci · group 12", "was VM 141 running",
            "was 570.133.20 on 6.8.0-90-generic", "was nvidia is the default · CDI on",
            "was NVIDIA-GeForce-RTX-4090", "was 1 of 1 held by ollama-b", "was 38 °C · 22 W · 0 % busy",
            "was Test PASSED", "was ready · ollama-b"};
        List<FloorStatus> floors = new ArrayList<>();
        for (Floor floor : Floor.values()) {
            floors.add(new FloorStatus(floor, FloorState.UNKNOWN, was[floor.ordinal()], Optional.empty(),
                    List.of(Reading.of("IOMMU", "on",
                            new Source(Source.Kind.SSH, "pve4", "ls /sys/class/iommu"), NOW.minusSeconds(250))),
                    Optional.empty()));
        }
        return card("pve4", "0000:01:00", "RTX 4090", 24564, "rke2-worker-dc4-gpu-a", floors, vm(141, "dc4-gpu-a"),
                Optional.of("ollama-b"));
    }

    public static Card windows() {
        List<FloorStatus> floors = new ArrayList<>();
        floors.add(status(Floor.FIRMWARE, FloorState.OK, "IOMMU on · AMD-Vi in IVRS"));
        floors.add(status(Floor.VFIO, FloorState.OK, "vfio-pci holds 2 functions · group 16"));
        floors.add(new FloorStatus(Floor.VM, FloorState.BLOCKED, "VM 210 win11-studio has it",
                Optional.of("gpu-owned-by-other-vm"),
                List.of(reading("holder", "VM 210 win11-studio", "GET /nodes/pve5/qemu/210/config", 2),
                        reading("ostype", "win11", "GET /nodes/pve5/qemu/210/config", 2),
                        reading("uptime", "6720", "GET /nodes/pve5/qemu/210/status/current", 2)), Optional.empty()));
        for (Floor floor : List.of(Floor.DRIVER, Floor.RUNTIME, Floor.DISCOVERY, Floor.PLUGIN, Floor.TELEMETRY,
                Floor.PROOF)) {
            floors.add(status(floor, FloorState.BLOCKED, "blocked by VM"));
        }
        floors.add(status(Floor.SERVER, FloorState.BLOCKED, "stopped with VM 151 · ollama-c"));
        return card("pve5", "0000:01:00", "RTX 5090", 32607, "rke2-worker-dc5-gpu-a", floors, vm(210, "win11-studio"),
                Optional.empty());
    }

    /** As many healthy cards as asked for, two a host. */
    public static List<Card> fleet(int cards) {
        List<Card> result = new ArrayList<>();
        for (int i = 0; i < cards; i++) {
            result.add(i % 7 == 3 ? moved(pluginFailing(), "pve" + (1 + i / 2), "0000:0" + (1 + i % 2) + ":00")
                    : up("pve" + (1 + i / 2), "0000:0" + (1 + i % 2) + ":00", "RTX A1000"));
        }
        return result;
    }

    /** The card with another load. */
    public static Card busy(Card card, int percent) {
        List<FloorStatus> floors = new ArrayList<>(card.floors());
        floors.set(Floor.TELEMETRY.ordinal(), status(Floor.TELEMETRY, FloorState.OK,
                (30 + percent / 3) + " °C · " + (20 + percent) + " W · " + percent + " % busy"));
        return new Card(card.id(), card.host(), card.address(), card.name(), card.uuid(), card.vramMiB(), card.vm(),
                card.node(), card.server(), floors);
    }

    public static Card moved(Card card, String host, String slot) {
        return card(host, slot, card.name(), card.vramMiB().getAsLong(), "node-" + host, card.floors(), card.vm(),
                card.server());
    }

    private static Card card(String host, String slot, String name, long mib, String node, List<FloorStatus> floors,
                             Optional<Card.VmRef> vm, Optional<String> server) {
        return new Card(host + "/" + slot, host, PciAddress.parse(slot), name, Optional.of("GPU-" + host),
                OptionalLong.of(mib), vm, Optional.of(node), server, floors);
    }

    private static Optional<Card.VmRef> vm(int id, String name) {
        return Optional.of(new Card.VmRef(id, name));
    }

    private static List<FloorStatus> ok(String[] texts, int count) {
        List<FloorStatus> floors = new ArrayList<>();
        for (Floor floor : Floor.values()) {
            if (floor.ordinal() < count) {
                floors.add(floor == Floor.PROOF
                        ? new FloorStatus(floor, FloorState.OK, texts[floor.ordinal()], Optional.empty(),
                                readings("log", "Test PASSED", "pod/cuda-vectoradd", 7300), Optional.empty())
                        : status(floor, FloorState.OK, texts[floor.ordinal()]));
            }
        }
        return floors;
    }

    private static FloorStatus waits(Floor floor, String on) {
        return status(floor, FloorState.WAITING, "waits for " + on);
    }

    private static FloorStatus status(Floor floor, FloorState state, String text) {
        return new FloorStatus(floor, state, text, Optional.empty(), readings("says", text, "a command", 3),
                Optional.empty());
    }

    private static List<Reading> readings(String name, String value, String detail, int ageSeconds) {
        return List.of(reading(name, value, detail, ageSeconds));
    }

    private static Reading reading(String name, String value, String detail, int ageSeconds) {
        return Reading.of(name, value, new Source(Source.Kind.CLUSTER, "cluster", detail), NOW.minusSeconds(ageSeconds));
    }
}
