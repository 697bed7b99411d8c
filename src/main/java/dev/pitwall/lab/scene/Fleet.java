package dev.pitwall.lab.scene;

import dev.pitwall.lab.world.LabModelServer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Makes a scene of any size for scale tests. Kinds of board, card, VM, node and model come from the scene
 * {@code garage}; the same size and seed give the same scene.
 */
public final class Fleet {
    private static final String CARD = "rtx-a1000";
    /** What a node has for itself, and for the servers on each of its cards. */
    private static final int NODE_MIB = 12_288;
    private static final int CARD_MIB = 8_192;
    private static final int NODE_CORES = 4;
    private static final int CARD_CORES = 4;
    private static final int FIRST_CARD_GROUP = 100;
    private static final int MASTERS = 3;
    private static final Pattern ADDRESS = Pattern.compile("0x([0-9a-f]+)");
    private static final Duration UP = Duration.ofDays(9).plusHours(4);

    private final Size size;
    private final Random random;
    private final Scene like;
    private final List<Scene.Host> hosts = new ArrayList<>();
    private final List<Scene.Vm> vms = new ArrayList<>();
    private final List<Scene.Node> nodes = new ArrayList<>();
    private final List<Scene.Server> servers = new ArrayList<>();

    private Fleet(Size size, long seed, Scene like) {
        this.size = size;
        this.random = new Random(seed);
        this.like = like;
    }

    /**
     * How much of everything.
     *
     * @param hosts 1 to 200 Proxmox hosts
     * @param cards at most 8 a host; dealt out evenly, all cards of a host in one VM
     * @param nodes at least the hosts that have cards, at most 2000; the first are those with cards
     * @param pods  0 to 100000; one in a hundred comes or goes each second
     */
    public record Size(int hosts, int cards, int nodes, int pods) {
        public static final Size USUAL = new Size(4, 8, 20, 200);
    }

    /** @throws SceneException if the numbers do not go together */
    public static Scene scene(Size size, long seed) throws SceneException {
        between("--hosts", size.hosts, 1, 200);
        between("--cards", size.cards, 0, size.hosts * 8);
        between("--nodes", size.nodes, Math.max(1, Math.min(size.cards, size.hosts)), 2000);
        between("--pods", size.pods, 0, 100_000);
        Scene scene = new Fleet(size, seed, new SceneFile().bundled("garage")).make();
        new SceneCheck("fleet").check(scene);
        return scene;
    }

    private Scene make() {
        for (int i = 0; i < size.hosts; i++) {
            host(i);
        }
        int withCards = nodes.size();
        for (int i = withCards; i < size.nodes; i++) {
            plainNode(i, i < withCards + MASTERS ? "master" : "worker");
        }
        return new Scene("fleet", size.hosts + " hosts, " + size.cards + " cards, " + size.nodes + " nodes, "
                + size.pods + " pods", "fleet", like.kubernetes(), Map.of("fleet", board()), cardKinds(), like.vmKinds(),
                like.nodeKinds(), like.models(), hosts, vms, List.of(), nodes, servers, like.users(), like.tokens(), Map.of(),
                new Scene.Pods(size.pods, size.pods / 100.0));
    }

    private void host(int index) {
        int cards = size.cards / size.hosts + (index < size.cards % size.hosts ? 1 : 0);
        String name = String.format("pve%02d", index + 1);
        Scene.Host model = like.hosts().getFirst();
        List<Scene.Slot> slots = new ArrayList<>();
        for (int c = 0; c < cards; c++) {
            slots.add(new Scene.Slot(slot(c), CARD + "-" + c, FIRST_CARD_GROUP + c, "GPU-" + uuid(), "vfio-pci"));
        }
        hosts.add(new Scene.Host(name, "fleet", model.proxmox(), model.kernel(),
                "10.0." + (10 + index / 200) + "." + (11 + index % 200), UP, model.commandLine(), model.firmware(),
                slots, model.files()));
        if (cards > 0) {
            gpuNode(index, name, slots);
        }
    }

    private void gpuNode(int index, String host, List<Scene.Slot> slots) {
        String name = String.format("gpu-%02d", index + 1);
        int vmid = 1001 + index;
        Map<String, String> attached = new LinkedHashMap<>();
        for (int c = 0; c < slots.size(); c++) {
            attached.put("hostpci" + c, slots.get(c).slot() + ",pcie=1");
        }
        attached.put("memory", Integer.toString(NODE_MIB + CARD_MIB * slots.size()));
        attached.put("cores", Integer.toString(NODE_CORES + CARD_CORES * slots.size()));
        vms.add(new Scene.Vm(vmid, host, name, "rke2-gpu-worker", uuid(), UP, attached));
        nodes.add(new Scene.Node(name, "gpu-worker", vmid, null, null, address(nodes.size()), Map.of()));
        List<String> models = List.copyOf(like.models().keySet());
        for (Scene.Slot slot : slots) {
            List<String> installed = List.copyOf(new TreeSet<>(List.of(pick(models), pick(models), pick(models))));
            servers.add(new Scene.Server("ollama-" + (servers.size() + 1), "llm", LabModelServer.Kind.OLLAMA,
                    host + "/" + slot.slot(), name, "0.33.0", installed,
                    random.nextBoolean() ? List.of(pick(installed)) : List.of(), null, null));
        }
    }

    private void plainNode(int index, String kind) {
        String name = String.format("node-%04d", index + 1);
        int vmid = 2001 + index;
        vms.add(new Scene.Vm(vmid, hosts.get(index % size.hosts).name(), name, "rke2-" + kind, uuid(), UP,
                Map.of()));
        nodes.add(new Scene.Node(name, kind, vmid, null, null, address(index), Map.of()));
    }

    /** The garage's board with a root port for each card. */
    private Scene.Board board() {
        Scene.Board board = like.boards().values().iterator().next();
        List<Scene.Pci> pci = new ArrayList<>();
        for (Scene.Pci function : board.pci()) {
            if (!function.at().startsWith("00:01.") && function.at().startsWith("00:")) {
                pci.add(function);
            }
        }
        Scene.Pci port = board.pci().stream().filter(f -> f.at().equals("00:01.0")).findFirst().orElseThrow();
        for (int c = 0; c < 8; c++) {
            pci.add(new Scene.Pci("00:01." + c, port.type(), port.id(), port.vendor(), port.device(), "", "",
                    port.revision(), port.driver(), port.modules(), FIRST_CARD_GROUP + c, "", false, List.of()));
        }
        return new Scene.Board(board.vendor(), "Fleet host", board.cpu(), board.cpuVendor(), board.cpuThreads(), 512, pci);
    }

    /** One kind a slot, so that no two cards of a host claim the same addresses. */
    private Map<String, Scene.CardKind> cardKinds() {
        Scene.CardKind kind = like.cardKinds().get(CARD);
        Map<String, Scene.CardKind> kinds = new LinkedHashMap<>();
        for (int c = 0; c < 8; c++) {
            int card = c;
            List<Scene.Pci> functions = kind.functions().stream().map(f -> new Scene.Pci(f.at(), f.type(), f.id(),
                    f.vendor(), f.device(), f.subsystem(), f.subsystemName(), f.revision(), f.driver(), f.modules(),
                    null, f.reset(), false, f.bars().stream().map(bar -> moved(bar, card)).toList())).toList();
            kinds.put(CARD + "-" + c, new Scene.CardKind(kind.product(), kind.vramMiB(), kind.powerLimitW(),
                    kind.envelope(), functions));
        }
        return kinds;
    }

    /** A BAR line with its addresses moved up: 64-bit windows by 16 GiB a card, 32-bit ones by 32 MiB, ports by 4096. */
    private static String moved(String bar, int card) {
        long step = bar.contains("64bit") ? 16L << 30 : bar.contains("[mem") || bar.startsWith("ROM") ? 32L << 20 : 4096;
        return ADDRESS.matcher(bar).replaceAll(m -> String.format("0x%x",
                Long.parseLong(m.group(1), 16) + card * step));
    }

    private static String slot(int card) {
        return String.format("0000:%02x:00", card + 1);
    }

    private static String address(int node) {
        return "10." + (20 + node / 60_000) + "." + (node / 240) % 250 + "." + (11 + node % 240);
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private String uuid() {
        return new UUID(random.nextLong() & ~0xF000L | 0x4000L, random.nextLong() & ~(3L << 62) | 2L << 62).toString();
    }

    private static void between(String option, int value, int least, int most) throws SceneException {
        if (value < least || value > most) {
            throw new SceneException(option, value + " is not from " + least + " to " + most);
        }
    }
}
