package dev.pitwall.engine.live;

import dev.pitwall.engine.live.Paper.Item;
import dev.pitwall.engine.live.Paper.Work;
import dev.pitwall.engine.live.Preview.Figures;
import dev.pitwall.engine.live.Preview.Possible;
import dev.pitwall.engine.live.Preview.Refused;
import dev.pitwall.engine.live.Preview.Victim;
import dev.pitwall.engine.live.Preview.Why;
import dev.pitwall.engine.live.ProviderView.Pinning;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Works out what a load would take and who would go for it. Decides nothing and changes nothing. */
final class Planner {
    /** Until a model that was told to go has given its memory back; 0.5 to 1.5 s is usual (facts: models.md 5.1). */
    static final Duration COMES_BACK = Duration.ofSeconds(2);

    private static final long MIB = 1L << 20;

    private final Wall wall;

    Planner(Wall wall) {
        this.wall = wall;
    }

    /** For a load that was decided: where a person was shown who goes for it, nobody else does. */
    Preview load(Server server, Job job, Map<ProviderId, Paper> papers, Instant now) {
        Preview any = load(server, job.model, papers, job.room, now);
        return switch (any) {
            case Possible possible when job.room == Job.Room.AS_AGREED && !possible.victims().isEmpty() ->
                    asAgreed(server, job, papers, possible, now);
            case Possible _, Refused _ -> any;
        };
    }

    private Preview asAgreed(Server server, Job job, Map<ProviderId, Paper> papers, Possible any, Instant now) {
        Map<ProviderId, Paper> sparing = new LinkedHashMap<>(papers);
        sparing.computeIfPresent(server.id, (_, paper) -> paper.sparingAllBut(job.agreed));
        return switch (load(server, job.model, sparing, job.room, now)) {
            case Possible agreed -> agreed;
            case Refused _ -> notAsShown(any, job.agreed);
        };
    }

    /** What a person was shown names who goes. @param now what it would take now */
    Refused notAsShown(Possible now, Set<ModelName> shown) {
        List<String> others = now.victims().stream().map(Victim::model).filter(m -> !shown.contains(m)).map(ModelName::text).toList();
        return new Refused(Why.NOT_AS_SHOWN, wall.words.say("refused.notasshown", wall.words.list(others)), now.figures());
    }

    /** @param papers all providers as they would be then; {@code server}'s among them */
    Preview load(Server server, ModelName model, Map<ProviderId, Paper> papers, Job.Room mayEvict, Instant now) {
        Paper paper = papers.get(server.id);
        Memory need = wall.need(server, model);
        if (paper == null) {
            return new Refused(Why.ROOM_UNKNOWN, wall.words.say("refused.room", server.id), Optional.empty());
        }
        long free = Math.max(0, paper.free());
        long lacking = Math.max(0, need.bytes() - paper.free());
        Figures figures = new Figures(need, free, Math.max(0, need.bytes() - free), Math.max(0, free - need.bytes()));
        if (lacking == 0 && !paper.full()) {
            return new Possible(Optional.of(figures), List.of(), Optional.of(about(server, need, List.of())), List.of());
        }
        if (need.bytes() > paper.room()) {
            return new Refused(Why.TOO_LARGE, tooLarge(server, model, need, paper), Optional.of(figures));
        }
        if (mayEvict == Job.Room.ONLY_FREE) {
            return new Refused(Why.BUSY, lacking == 0 ? wall.words.say("refused.count", server.id, paper.items().size())
                    : wall.words.say("refused.full", model, wall.gib(need.bytes()), wall.gib(free)), Optional.of(figures));
        }
        return wall.uses.victims(papers, speeds(papers), server.id, model, wanted(need, paper), now)
                .<Preview>map(going -> evicting(server, need, paper, going, now))
                .orElseGet(() -> lacking == 0 ? blockedByCount(server, paper, figures) : blocked(model, need, paper, figures));
    }

    /** A server that is full by its own count needs one to go, as if a little more than what is free were wanted. */
    private static long wanted(Memory need, Paper paper) {
        return paper.full() ? Math.max(need.bytes(), paper.free() + MIB) : need.bytes();
    }

    private Refused blockedByCount(Server server, Paper paper, Figures figures) {
        boolean pinned = paper.items().stream().allMatch(i -> i.pinning() == Pinning.PINNED);
        return new Refused(pinned ? Why.PINNED : Why.BUSY, wall.words.say("refused.count.none", server.id,
                paper.items().size(), wall.words.list(paper.items().stream().map(i -> i.model().text()).toList())),
                Optional.of(figures));
    }

    private Map<ProviderId, Double> speeds(Map<ProviderId, Paper> papers) {
        Map<ProviderId, Double> speeds = new LinkedHashMap<>();
        papers.keySet().forEach(id -> speeds.put(id, wall.servers.get(id).speed()));
        return speeds;
    }

    private Possible evicting(Server server, Memory need, Paper paper, List<Uses.Going> going, Instant now) {
        List<Victim> victims = going.stream().map(g -> new Victim(g.item().model(), g.item().bytes(),
                Optional.of(Duration.between(g.item().idleSince(), now)).filter(d -> !d.isNegative()))).toList();
        long freed = victims.stream().mapToLong(Victim::bytes).sum();
        long free = Math.max(0, paper.free());
        Figures figures = new Figures(need, free, Math.max(0, need.bytes() - free),
                Math.max(0, paper.free() + freed - need.bytes()));
        return new Possible(Optional.of(figures), victims, Optional.of(about(server, need, victims)), List.of());
    }

    private Duration about(Server server, Memory need, List<Victim> victims) {
        Duration before = server.jobs.stream().map(j -> server.loadTime(wall.need(server, j.model).bytes()))
                .reduce(Duration.ZERO, Duration::plus);
        return before.plus(server.loadTime(need.bytes())).plus(victims.isEmpty() ? Duration.ZERO : COMES_BACK);
    }

    private String tooLarge(Server server, ModelName model, Memory need, Paper paper) {
        return paper.foreign() > 0 && need.bytes() <= paper.total() - paper.reserve()
                ? wall.words.say("refused.large.others", model, wall.gib(need.bytes()), server.id, wall.gib(paper.room()),
                        wall.gib(paper.foreign()))
                : wall.words.say("refused.large", model, wall.gib(need.bytes()), server.id, wall.gib(paper.room()));
    }

    private Refused blocked(ModelName model, Memory need, Paper paper, Figures figures) {
        long withBusy = paper.free() + bytes(paper, i -> i.pinning() == Pinning.NONE);
        List<String> inTheWay = paper.items().stream().filter(i -> withBusy >= need.bytes()
                ? i.pinning() == Pinning.NONE && i.work() != Work.IDLE : i.pinning() == Pinning.PINNED)
                .map(i -> i.model().text()).toList();
        return withBusy >= need.bytes()
                ? new Refused(Why.BUSY, wall.words.say("refused.busy", model, wall.gib(figures.lacking()),
                        wall.words.list(inTheWay)), Optional.of(figures))
                : new Refused(Why.PINNED, wall.words.say("refused.pinned", model, wall.gib(figures.lacking()),
                        wall.words.list(inTheWay)), Optional.of(figures));
    }

    private static long bytes(Paper paper, Predicate<Item> which) {
        return paper.items().stream().filter(which).mapToLong(Item::bytes).sum();
    }
}
