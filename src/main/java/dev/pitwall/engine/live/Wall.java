package dev.pitwall.engine.live;

import dev.pitwall.card.Sentences;
import dev.pitwall.engine.live.Paper.Item;
import dev.pitwall.engine.live.Paper.Work;
import dev.pitwall.engine.live.Placed.Use;
import dev.pitwall.engine.live.ProviderView.Pinning;
import dev.pitwall.engine.live.ServerDriver.Installed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** All that the core knows, shared by its parts; one thread at a time. */
final class Wall {
    /** Of each card: a driver's own needs, and the growth of buffers while a model is used. */
    static final long RESERVE_A_CARD = 512L << 20;

    final Sentences words = new Sentences("engine/live");
    final Deque<Effect> effects = new ArrayDeque<>();
    final Map<ProviderId, Server> servers = new LinkedHashMap<>();
    final TreeSet<PlacementId> pins = new TreeSet<>(Comparator.comparing(PlacementId::provider)
            .thenComparing(PlacementId::model));
    /** Of servers that are not there now too. */
    final Map<ProviderId, ProviderView.Hold> holds = new TreeMap<>();
    final Uses uses = new Uses();
    final Needed needed;
    final Diary diary;
    final InCharge charge;
    final Speeds speeds;
    Mode mode;
    List<String> others = List.of();

    Wall(EngineRecord.Kept kept) {
        this.mode = kept.mode();
        this.pins.addAll(kept.pins());
        this.holds.putAll(kept.holds());
        this.needed = new Needed(kept.loads());
        this.diary = new Diary(kept.log(), effects::add);
        this.charge = new InCharge(words, diary);
        this.speeds = new Speeds(this, kept.speeds(), kept.away());
    }

    void decided() {
        effects.add(new Effect.Decided(mode, Set.copyOf(pins), Map.copyOf(holds)));
    }

    Optional<Server> server(ProviderId id) {
        return Optional.ofNullable(servers.get(id));
    }

    Pinning pinning(ProviderId provider, ModelName model) {
        return pins.contains(new PlacementId(provider, model)) ? Pinning.PINNED : Pinning.NONE;
    }

    /** Bytes of the cards; empty where nobody tells. */
    OptionalLong total(Server server) {
        return server.spot.gauge().map(g -> OptionalLong.of(g.total())).orElse(OptionalLong.empty());
    }

    long reserve(Server server) {
        return RESERVE_A_CARD * Math.max(1, server.spot.cards().size());
    }

    /** What a model would take of this server's cards. */
    Memory need(Server server, ModelName model) {
        OptionalLong context = Optional.ofNullable(server.placed.get(model)).map(Placed::context)
                .orElse(OptionalLong.empty());
        return needed.of(facts(server, model, context), server.spot.cardKind(), total(server).orElse(0));
    }

    Needed.Model facts(Server server, ModelName model, OptionalLong context) {
        Optional<Installed> installed = server.installed(model);
        Optional<String> digest = installed.flatMap(Installed::digest).or(() -> Optional.ofNullable(server.placed.get(model))
                .flatMap(p -> p.seen).flatMap(ServerDriver.Loaded::digest));
        return new Needed.Model(model, digest, installed.map(Installed::fileBytes).orElse(OptionalLong.empty()), context);
    }

    /** What a placement takes of the cards: as measured or told, never more than is on the card. */
    Memory memory(Server server, Placed placed) {
        Memory need = need(server, placed.model);
        OptionalLong told = placed.onCard();
        if (told.isPresent() && placed.onProcessor() > 0) {
            return new Memory(told.getAsLong(), Memory.Basis.SERVER, Optional.of(server.answeredAt));
        }
        if (told.isPresent() && need.basis() != Memory.Basis.MEASURED && told.getAsLong() > need.bytes()) {
            return new Memory(told.getAsLong(), Memory.Basis.SERVER, Optional.of(server.answeredAt));
        }
        return need;
    }

    /** The provider as it will be when what is under way has come about; empty where its room is not known. */
    Optional<Paper> paper(Server server) {
        OptionalLong total = total(server);
        if (total.isEmpty()) {
            return Optional.empty();
        }
        List<Item> items = new ArrayList<>();
        for (Placed p : server.placed.values()) {
            boolean going = server.current().filter(j -> j.awaited.contains(p.model)).isPresent();
            switch (p.phase) {
                case HERE -> {
                    if (!going) {
                        items.add(new Item(p.model, memory(server, p).bytes(), p.use == Use.BUSY ? Work.BUSY : Work.IDLE,
                                pinning(server.id, p.model), p.usedAt));
                    }
                }
                case LOADING -> items.add(new Item(p.model, need(server, p.model).bytes(), Work.MOVING,
                        pinning(server.id, p.model), p.since));
                case ASKED, UNLOADING, FAILED, LOST -> {
                }
            }
        }
        server.current().filter(j -> j.stage == Job.Stage.MAKING_ROOM).ifPresent(j -> items.add(new Item(j.model,
                need(server, j.model).bytes(), Work.MOVING, pinning(server.id, j.model), j.asked)));
        return Optional.of(new Paper(total.getAsLong(), reserve(server), server.foreign.bytes(), server.most(), items));
    }

    /** Bytes that are taken at this moment, by what still goes too. */
    long takenNow(Server server) {
        return server.placed.values().stream().filter(p -> p.phase.takesMemory())
                .mapToLong(p -> memory(server, p).bytes()).sum();
    }

    Map<ProviderId, Paper> papers() {
        Map<ProviderId, Paper> papers = new LinkedHashMap<>();
        servers.values().forEach(s -> paper(s).ifPresent(paper -> papers.put(s.id, paper)));
        return papers;
    }

    /** Nobody is told 0.0 GiB of what is not known. */
    String gib(Memory memory) {
        return memory.basis() == Memory.Basis.UNKNOWN ? words.say("need.unknown") : gib(memory.bytes());
    }

    String gib(long bytes) {
        return "%.1f GiB".formatted(bytes / (double) (1L << 30));
    }

    /** One unit: {@code 45 s}, {@code 12 min}, {@code 3 h}. */
    String span(Instant from, Instant to) {
        return span(Duration.between(from, to));
    }

    String span(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        return seconds < 120 ? seconds + " s" : seconds < 7200 ? seconds / 60 + " min" : seconds / 3600 + " h";
    }
}
