package dev.pitwall.card;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Assembles every card of a site out of what its sources say. Pure: the same facts give the same cards.
 */
public final class CardAssembler {
    private static final String GFD_MEMORY = "nvidia.com/gpu.memory";
    private static final String GFD_PRODUCT = "nvidia.com/gpu.product";

    private final FloorTexts texts = new FloorTexts();
    private final HostFloors host = new HostFloors(texts);
    private final VmFloor vm = new VmFloor(texts);
    private final NodeFloors node = new NodeFloors(texts);
    private final ClusterFloors cluster = new ClusterFloors(texts, node);
    private final UseFloors use = new UseFloors(texts, node);
    private final StaleClaims stale = new StaleClaims();
    private final UnseenParts unseen = new UnseenParts(texts);
    private final VirtualMachines virtual = new VirtualMachines(texts);
    private final Tower tower = new Tower(texts);

    /** All cards, in the order host, address. */
    public List<Card> assemble(SiteFacts facts) {
        return new Inventory(facts, virtual).cards().stream().map(place -> card(place, facts)).toList();
    }

    private Card card(CardPlace place, SiteFacts facts) {
        Map<Floor, Finding> findings = new EnumMap<>(Floor.class);
        findings.put(Floor.FIRMWARE, host.firmware(place));
        findings.put(Floor.VFIO, host.vfio(place));
        findings.put(Floor.VM, vm.vm(place));
        findings.put(Floor.DRIVER, node.driver(place, facts));
        findings.put(Floor.RUNTIME, node.runtime(place, facts.cluster(), facts.now()));
        findings.put(Floor.DISCOVERY, cluster.discovery(place, facts.cluster(), facts.now()));
        findings.put(Floor.PLUGIN, cluster.plugin(place, facts.cluster(), facts.now()));
        findings.put(Floor.TELEMETRY, use.telemetry(place, facts));
        findings.put(Floor.PROOF, use.proof(place, facts));
        findings.put(Floor.SERVER, use.server(place, facts));
        Map<Floor, Finding> own = new EnumMap<>(findings);
        findings.replaceAll((floor, finding) -> stale.weighed(floor, place, own, facts.cluster()));
        findings.replaceAll((floor, finding) -> unseen.weighed(floor, finding, facts.cluster()));
        return new Card(place.id(), place.host(), place.slot(), name(place), uuid(place), vram(place),
                place.worker().map(v -> new Card.VmRef(v.vmid(), v.name())), place.node().map(NodeReport::name),
                place.server().map(Observed::system), tower.build(findings));
    }

    private static String name(CardPlace place) {
        return place.gpu().flatMap(GpuDevice::name).map(ProductName::shorten)
                .or(() -> label(place, GFD_PRODUCT).filter(p -> place.share().of() == 1)
                        .map(p -> ProductName.shorten(p.replaceFirst("-SHARED$", "")).replace('-', ' ')))
                .or(() -> ProductName.ofFunctions(place.functions()))
                .orElse("NVIDIA GPU");
    }

    private static Optional<String> uuid(CardPlace place) {
        return place.gpu().flatMap(GpuDevice::uuid);
    }

    private static OptionalLong vram(CardPlace place) {
        OptionalLong measured = place.gpu().map(GpuDevice::memoryTotalMiB).orElse(OptionalLong.empty());
        if (measured.isPresent() || place.share().of() > 1) {
            return measured;
        }
        return label(place, GFD_MEMORY).filter(m -> m.matches("\\d{1,9}"))
                .map(m -> OptionalLong.of(Long.parseLong(m))).orElse(OptionalLong.empty());
    }

    private static Optional<String> label(CardPlace place, String label) {
        return place.node().map(NodeReport::labels).map(l -> l.get(label));
    }
}
