package dev.pitwall.ui.board;

import dev.pitwall.card.Trouble;
import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.MeasuredSpeed;
import dev.pitwall.engine.live.Memory;
import dev.pitwall.engine.live.Mode;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.By;
import dev.pitwall.engine.live.ProviderView.CardView;
import dev.pitwall.engine.live.ProviderView.Foreign;
import dev.pitwall.engine.live.ProviderView.Hold;
import dev.pitwall.engine.live.ProviderView.Pinning;
import dev.pitwall.engine.live.ProviderView.PlacementView;
import dev.pitwall.engine.live.ProviderView.Room;
import dev.pitwall.engine.live.ProviderView.Standing;
import dev.pitwall.engine.live.ProviderView.State;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.SampleSite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Boards: what the picture of the page shows, with everything that can be, with too much. */
public final class SampleWall {

    private static final Instant NOW = SampleSite.NOW;
    private static final double GIB = 1L << 30;

    private SampleWall() {
    }

    public static WallView view() {
        ProviderView a = card("gpu-a", 0, "RTX 4090", 62, 214, 0.88, 24, List.of(new Foreign("tei-reranker-0", gib(1.2))), List.of(
                placed("llama3.1:8b", busy(2, 96), measured(6.4), Pinning.NONE), placed("mistral:7b", idle(41), measured(4.8), Pinning.NONE),
                placed("qwen2.5-coder:3b", idle(3), measured(2.9), Pinning.PINNED)));
        ProviderView b = card("gpu-a", 1, "RTX 3060", 48, 71, 0.34, 12, List.of(new Foreign("comfyui-0", gib(1.9))), List.of(
                placed("gemma3:4b", new State.Loading(NOW, OptionalDouble.of(0.62), Optional.of(Duration.ofMillis(1500))), estimated(4.6), Pinning.NONE),
                placed("bge-m3", idle(9), measured(1.2), Pinning.PINNED)));
        ProviderView c = card("gpu-b", 0, "RTX 5090", 57, 302, 0.94, 31.8, List.of(), List.of(
                placed("gpt-oss:20b", busy(3, 148), measured(13.4), Pinning.PINNED), placed("qwen2.5vl:7b", idle(6), measured(6.0), Pinning.NONE)));
        return new WallView(NOW, Mode.AUTOMATIC, List.of(a, b, c), shelf(), List.of(), List.of(), log(), List.of());
    }

    /** Every state there is, and long names. */
    public static WallView everything() {
        Trouble trouble = new Trouble(Trouble.Kind.TIMEOUT, "ollama-c:11434", "no answer within 10 s", "Check that its pod runs.");
        String longName = "hf.co/unsloth/DeepSeek-R1-Distill-Qwen-32B-GGUF:Q4_K_M-with-a-very-long-tag";
        ProviderView many = card("a-very-long-node-name-in-the-third-rack", 0, "RTX PRO 6000 Blackwell Max-Q Workstation Edition", 62, 214, 0.88, 96,
                List.of(new Foreign("a-very-long-namespace/comfyui-with-a-long-name-0", gib(1.9)), new Foreign("not known", gib(0.7))), List.of(
                        new PlacementView(new ModelName(longName), busy(12, 1096), measured(20.4), 0.12, Pinning.PINNED, By.ENGINE,
                                List.of("Two programs ask for it with other options, so it is loaded again each time."), Optional.empty()),
                        placed("asked:1b", new State.Asked(NOW.minusSeconds(4)), estimated(1.4), Pinning.NONE),
                        placed("loading:3b", new State.Loading(NOW, OptionalDouble.empty(), Optional.empty()), estimated(2.9), Pinning.NONE),
                        placed("leaving:7b", new State.Unloading(NOW), measured(4.8), Pinning.NONE),
                        placed("failed:7b", new State.Failed(NOW, "the server ran out of memory"), estimated(4.8), Pinning.NONE),
                        placed("lost:7b", new State.Lost(NOW.minusSeconds(190)), measured(4.8), Pinning.PINNED)));
        ProviderView held = held(card("gpu-b", 0, "RTX 3060", 48, 71, 0.34, 12, List.of(), List.of(placed("bge-m3", idle(9), measured(1.2), Pinning.NONE))),
                Optional.of(new Hold(NOW.minusSeconds(600), Optional.of(NOW.plusSeconds(3600)), "mark")));
        ProviderView silent = standing(card("gpu-c", 0, "RTX 5090", 57, 302, 0.94, 31.8, List.of(), List.of(
                placed("gpt-oss:20b", busy(3, 148), measured(13.4), Pinning.NONE))), new Standing.Silent(NOW.minusSeconds(250), trouble));
        ProviderView hanging = standing(card("gpu-c", 1, "RTX 3090", 57, 102, 0.04, 24, List.of(), List.of(
                placed("qwen3:14b", new State.Loading(NOW.minusSeconds(300), OptionalDouble.of(0.4), Optional.empty()), estimated(10.9), Pinning.NONE))),
                new Standing.Hanging(NOW.minusSeconds(200), new ModelName("qwen3:14b")));
        ProviderView bare = new ProviderView(new ProviderId("llama-server-in-the-garage"), Optional.empty(), "llama-server b4000", List.of(),
                Optional.empty(), List.of(), Optional.empty(), new Standing.Live(NOW));
        List<Entry> log = new ArrayList<>(log());
        log.addFirst(new Entry(100, NOW, Entry.Kind.PULLED, Optional.empty(), Optional.empty(), "Stopped pulling phi4:14b", "",
                Optional.of(new Wish.CancelPull(new ModelName("phi4-mini:3b"), held.id()))));
        return new WallView(NOW, Mode.SUGGEST, List.of(many, held, silent, hanging, bare), shelf(),
                List.of(new WallView.Queued(new ModelName("qwen3:32b"), Optional.of(many.id()), NOW.minusSeconds(9), "waits for llama3.1:8b to end its answers")),
                List.of(new WallView.Pulling(new ModelName(longName), held.id(), "pulling manifest", gib(3.2), gib(18))), log,
                List.of("Kubemoot's own scheduler may move models here too; it was last seen doing so 3 min ago."));
    }

    /** The picture, with speeds measured on its first card. */
    public static WallView measured() {
        return provider(view(), new ProviderId("ollama-gpu-a-0"), p -> placements(p, p.placements().stream().map(m ->
                m.model().text().startsWith("qwen") ? m : new PlacementView(m.model(), m.state(), m.memory(), m.onCpu(), m.pinned(), m.by(),
                        m.notes(), Optional.of(new MeasuredSpeed(new PlacementId(p.id(), m.model()), Optional.empty(),
                        m.model().text().startsWith("llama") ? 31.2 : 44, m.model().text().startsWith("llama") ? OptionalDouble.of(4.1)
                        : OptionalDouble.empty(), NOW.minusSeconds(4000))))).toList()));
    }

    /** So many cards with so many models in all. */
    public static WallView fleet(int cards, int placements, int round) {
        List<ProviderView> providers = IntStream.range(0, cards).mapToObj(i -> card("gpu-" + i / 2, i % 2, "RTX A6000", 40 + (i + round) % 40,
                100 + (i * 7 + round) % 200, (i * 3 + round) % 100 / 100.0, 48, List.of(), IntStream.range(0, placements / cards + (i < placements % cards ? 1 : 0))
                        .mapToObj(j -> placed("model-" + i + "-" + j + ":8b", (j + round / 25 + i) % 3 == 0 ? busy(1 + round % 4, 20 + (round + j) % 90)
                                : idle(j + 1), j % 4 == 3 ? estimated(2) : measured(2), j % 5 == 0 ? Pinning.PINNED : Pinning.NONE)).toList())).toList();
        List<Entry> log = IntStream.range(0, WallView.LOG).mapToObj(i -> round / 10 + WallView.LOG - i).map(number -> new Entry(number,
                NOW.plusSeconds(number), Entry.Kind.values()[number % Entry.Kind.values().length], Optional.empty(), Optional.empty(),
                "Entry " + number, "It was wanted, and there was room for it on a card.", Optional.empty())).toList();
        return new WallView(NOW, Mode.AUTOMATIC, providers, IntStream.range(0, 300).mapToObj(i -> new WallView.ShelfModel(
                new ModelName("shelf-" + i + ":7b"), estimated(5), List.of())).toList(), List.of(), List.of(), log, List.of());
    }

    private static List<WallView.ShelfModel> shelf() {
        return Stream.of(shelf("qwen3:14b", estimated(10.9)), shelf("qwen3:32b", estimated(22.6)), shelf("phi4:14b", measured(10.3)),
                shelf("deepseek-r1:14b", estimated(10.7)), shelf("mistral-small:24b", measured(16.2)), shelf("codestral:22b", estimated(14.9)),
                shelf("gemma3:12b", measured(8.9)), shelf("llama3.2-vision:11b", estimated(9.8)), shelf("starcoder2:7b", measured(5.1))).toList();
    }

    private static WallView.ShelfModel shelf(String name, Memory need) {
        return new WallView.ShelfModel(new ModelName(name), need, List.of(new ProviderId("ollama-gpu-a-0")));
    }

    private static List<Entry> log() {
        return List.of(entry(7, 0, Entry.Kind.LOADING, "gemma3:4b", "Loading gemma3:4b", "Two requests wait; 4.6 GiB estimated, 8.4 were free. 2.5 s of about 4 s.", false),
                entry(6, 92, Entry.Kind.PINNED, "qwen2.5-coder:3b", "You pinned qwen2.5-coder:3b", "The engine will not evict it and loads it again after a restart.", true),
                entry(5, 785, Entry.Kind.EVICTED, "phi4:14b", "Evicted phi4:14b", "Idle 33 min, needed least. Made room for gpt-oss:20b; VRAM was back after 1.1 s.", false),
                entry(4, 794, Entry.Kind.WAITED, "phi4:14b", "Waited 9 s for phi4:14b", "It was answering. Work in progress is never cut off.", false),
                entry(3, 1600, Entry.Kind.REFUSED, "qwen3:32b", "Refused qwen3:32b", "Too large: needs 22.6 GiB, the card can give 9.6.", false),
                entry(2, 6000, Entry.Kind.FOREIGN, "bge-m3", "1.9 GiB is not ours", "Pod comfy/comfyui-0. Counted as used; the engine plans around it.", false),
                entry(1, 6100, Entry.Kind.MEASURED, "mistral:7b", "Measured mistral:7b", "4.8 GiB; the estimate was 5.1. Later plans use 4.8.", false));
    }

    private static Entry entry(long number, int ago, Entry.Kind kind, String model, String title, String words, boolean mine) {
        PlacementId at = new PlacementId(new ProviderId("ollama-gpu-a-0"), new ModelName(model));
        return new Entry(number, NOW.minusSeconds(ago), kind, Optional.empty(), Optional.of(at), title, words,
                mine ? Optional.of(new Wish.Pin(at)) : Optional.empty());
    }

    static ProviderView card(String node, int index, String name, double celsius, double watts, double busy, double total,
                             List<Foreign> foreign, List<PlacementView> placements) {
        long reserve = gib(0.5);
        ProviderView made = new ProviderView(new ProviderId("ollama-" + node + "-" + index), Optional.of(node),
                (node.equals("gpu-b") ? "pve2 · VM 151" : "pve1 · VM 141") + " · Ollama 0.32.15",
                List.of(new CardView(node + "/" + index, index, name, OptionalDouble.of(celsius), OptionalDouble.of(watts), OptionalDouble.of(busy))),
                Optional.of(new Room(gib(total), reserve, foreign, 0, "DCGM")), List.of(), Optional.empty(), new Standing.Live(NOW));
        return placements(made, placements);
    }

    static ProviderView placements(ProviderView p, List<PlacementView> placements) {
        return new ProviderView(p.id(), p.node(), p.place(), p.cards(), p.room().map(r -> new Room(r.total(), r.reserve(), r.foreign(),
                Math.max(0, r.total() - r.reserve() - r.foreign().stream().mapToLong(Foreign::bytes).sum()
                        - placements.stream().mapToLong(m -> m.memory().bytes()).sum()), r.source())), placements, p.hold(), p.standing());
    }

    static ProviderView held(ProviderView p, Optional<Hold> hold) {
        return new ProviderView(p.id(), p.node(), p.place(), p.cards(), p.room(), p.placements(), hold, p.standing());
    }

    static ProviderView standing(ProviderView p, Standing standing) {
        return new ProviderView(p.id(), p.node(), p.place(), p.cards(), p.room(), p.placements(), p.hold(), standing);
    }

    static WallView provider(WallView v, ProviderId id, UnaryOperator<ProviderView> how) {
        return new WallView(v.at(), v.mode(), v.providers().stream().map(p -> p.id().equals(id) ? how.apply(p) : p).toList(), v.shelf(),
                v.queue(), v.pulls(), v.log(), v.others());
    }

    static WallView mode(WallView v, Mode mode) {
        return new WallView(v.at(), mode, v.providers(), v.shelf(), v.queue(), v.pulls(), v.log(), v.others());
    }

    static WallView pulls(WallView v, List<WallView.Pulling> pulls) {
        return new WallView(v.at(), v.mode(), v.providers(), v.shelf(), v.queue(), pulls, v.log(), v.others());
    }

    static WallView logged(WallView v, Entry entry) {
        return new WallView(v.at(), v.mode(), v.providers(), v.shelf(), v.queue(), v.pulls(),
                Stream.concat(Stream.of(entry), v.log().stream()).limit(WallView.LOG).toList(), v.others());
    }

    static PlacementView placed(String model, State state, Memory memory, Pinning pinning) {
        return new PlacementView(new ModelName(model), state, memory, 0, pinning, By.ENGINE, List.of(), Optional.empty());
    }

    static State busy(int requests, double rate) {
        return new State.Busy(requests, OptionalDouble.of(rate));
    }

    static State idle(int minutes) {
        return new State.Idle(NOW.minusSeconds(60L * minutes), Optional.of(NOW.plusSeconds(300)));
    }

    static Memory measured(double gib) {
        return new Memory(gib(gib), Memory.Basis.MEASURED, Optional.of(NOW.minusSeconds(3600)));
    }

    static Memory estimated(double gib) {
        return new Memory(gib(gib), Memory.Basis.ESTIMATED, Optional.empty());
    }

    private static long gib(double gib) {
        return Math.round(gib * GIB);
    }
}
