package dev.pitwall.journey.run;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Aim;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.HostLocks;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Surveys;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.UndoPlan;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Targets;

import java.util.List;
import java.util.Optional;

/**
 * The wizard of one site: the steps of a {@link Ladder}, made on its {@link Systems} and written to its {@link
 * Journal}.
 */
public final class SiteJourney implements Journey {
    private static final long NO_RUN = 0;

    /** No run has this number. */
    private static final long NONE = 0;

    private final Equipment site;
    private final Looking looking;
    private final Hosts hosts;
    private final Undoing undoing;

    /**
     * What a journey works with.
     *
     * @param id       of the site
     * @param systems  closed with the journey
     * @param surveys  read what the steps rest on
     * @param ladder   the steps
     * @param journal  kept open
     * @param locks    shared by all journeys of this computer
     */
    public record Equipment(String id, Systems systems, Surveys surveys, Ladder ladder, Journal journal,
                            HostLocks locks, Patience patience) {
    }

    public SiteJourney(Equipment site) {
        this.site = site;
        this.looking = new Looking(site.systems(), site.surveys(), site.ladder(),
                new LeftOut(site.id(), site.journal()), site.patience());
        this.hosts = new Hosts(site);
        this.undoing = new Undoing(site);
    }

    @Override
    public CardPlan look(Situation.Subject card, Choices choices, Watcher watcher)
            throws TroubleException, InterruptedException {
        return look(card, choices, site.ladder().last(), watcher);
    }

    @Override
    public CardPlan look(Situation.Subject card, Choices choices, String last, Watcher watcher)
            throws TroubleException, InterruptedException {
        return looking.look(card, choices, last, watcher).plan();
    }

    @Override
    public List<String> together(CardPlan plan, String last) {
        return Batch.upTo(plan, last, site.ladder()).steps();
    }

    @Override
    public RunRecord apply(CardPlan plan, List<String> steps, Watcher watcher, Stop stop)
            throws TroubleException, InterruptedException {
        List<Planned> picked = picked(plan, steps);
        try (HostLocks.Held held = hosts.take(plan.card().host())) {
            hosts.refuseIfAnotherDied(plan.card().host(), NONE);
            Aim aim = new Aim(plan.choices(), Optional.empty());
            OpenRun run = begin(plan.card(), title(picked), aim, watcher);
            run.add(Batch.of(picked).changes());
            return toItsEnd(run, walk(run, plan.card(), aim, watcher, stop)::goOn);
        }
    }

    private List<Planned> picked(CardPlan plan, List<String> ids) throws TroubleException {
        List<Planned> picked = plan.steps().stream().filter(s -> ids.contains(s.id())).toList();
        if (picked.isEmpty() || picked.size() != ids.size()
                || picked.stream().anyMatch(s -> s.answer().state() != Answer.State.READY)) {
            throw new IllegalArgumentException("not all of these steps may run: " + ids);
        }
        for (Planned step : picked) {
            Optional<Planned> first = plan.steps().stream().takeWhile(s -> !s.id().equals(step.id()))
                    .filter(s -> !picked.contains(s) && sameFile(s, step)).findFirst();
            if (first.isPresent()) {
                throw Refusal.busy(site.ladder().title(step.id()), "it writes the same file as \""
                        + site.ladder().title(first.get().id()) + "\"", "Apply that step first, or both together.");
            }
        }
        return picked;
    }

    private static boolean sameFile(Planned one, Planned other) {
        Targets targets = Targets.of(one.answer().changes());
        return other.answer().changes().stream().anyMatch(targets::hasFileOf);
    }

    private String title(List<Planned> steps) {
        String first = site.ladder().title(steps.getFirst().id());
        return steps.size() == 1 ? first : first + " and " + (steps.size() - 1) + " more";
    }

    @Override
    public RunRecord walk(Situation.Subject card, Choices choices, String last, Watcher watcher, Stop stop)
            throws TroubleException, InterruptedException {
        if (!site.ladder().has(last)) {
            throw new IllegalArgumentException("no step " + last);
        }
        Aim wish = new Aim(choices, Optional.of(last));
        try (HostLocks.Held held = hosts.take(card.host())) {
            Optional<RunRecord> dead = hosts.unfinished(card.host()).stream().findFirst();
            if (dead.isPresent() && sameWish(dead.get(), card, wish)) {
                return goOn(dead.get(), watcher, stop);
            }
            // What another run still had to do was agreed to there, and is not in the plan that was agreed to now.
            hosts.refuseIfAnotherDied(card.host(), NO_RUN);
            CardPlan plan = look(card, choices, last, watcher);
            watcher.previewed(plan);
            new InTheWay(site.ladder()).refuse(plan, last);
            Aim aim = new Aim(choices, Optional.of(last), Preview.of(plan, last));
            OpenRun run = begin(card, "Set up to: " + site.ladder().title(end(plan, last)), aim, watcher);
            return toItsEnd(run, () -> walk(run, card, aim, watcher, stop).climb(plan, last));
        }
    }

    /** The step that a run is called after: where the last one is left out or of no use, the one before that is there or made. */
    private static String end(CardPlan plan, String last) {
        int wanted = plan.steps().stream().map(Planned::id).toList().indexOf(last);
        return plan.steps().stream().limit(wanted + 1L).filter(s -> switch (s.answer().state()) {
            case SKIPPED, NOT_APPLICABLE -> false;
            case DONE, READY, WAITING, BLOCKED, UNKNOWN -> true;
        }).reduce((_, later) -> later).map(Planned::id).orElse(last);
    }

    private boolean sameWish(RunRecord dead, Situation.Subject card, Aim aim) throws TroubleException {
        return dead.card().filter(c -> c.id().equals(card.id())).isPresent()
                && site.journal().aim(dead.number()).sameWish(aim);
    }

    private OpenRun begin(Situation.Subject card, String title, Aim aim, Watcher watcher) throws TroubleException {
        RunRecord record = site.journal().begin(new Journal.Opening(site.id(), title, card.host(),
                Optional.of(new RunRecord.CardRef(card.id(), card.name())), Hosts.BY_WHOM, Optional.empty(), aim,
                site.patience().now()));
        return open(record, OpenRun.Beginning.NEW, watcher);
    }

    private OpenRun open(RunRecord record, OpenRun.Beginning beginning, Watcher watcher) {
        OpenRun run = new OpenRun(site.journal(), watcher, site.patience(), record.number(), beginning);
        run.say("run " + record.number() + ": " + record.title());
        watcher.moved(record);
        return run;
    }

    private Walk walk(OpenRun run, Situation.Subject card, Aim aim, Watcher watcher, Stop stop) {
        return new Walk(run, card, aim, new Walk.Means(looking, Execution.of(site, watcher), site.ladder(),
                site.patience(), watcher, stop));
    }

    /**
     * Sees to it that a run which meets a trouble is closed, unless it can be gone on with.
     *
     * @throws TroubleException if nothing was begun, or a lost connection did not come back
     */
    private static RunRecord toItsEnd(OpenRun run, Act<RunRecord> act) throws TroubleException, InterruptedException {
        try {
            return act.perform();
        } catch (TroubleException e) {
            if (!run.begun()) {
                run.close(RunRecord.State.STOPPED, e.trouble().sentence() + "; nothing was changed");
                throw e;
            }
            if (Lost.is(e.trouble())) {
                run.say("run " + run.number() + " is not finished: " + e.trouble().sentence());
                throw e;
            }
            return run.close(RunRecord.State.FAILED, Maker.sentences(e.trouble()) + " Undo of run " + run.number()
                    + " takes back what was made.");
        }
    }

    @Override
    public RunRecord resume(long number, Watcher watcher, Stop stop) throws TroubleException, InterruptedException {
        RunRecord record = hosts.record(number);
        try (HostLocks.Held held = hosts.take(record.host())) {
            RunRecord now = hosts.record(number);
            return now.ended().isPresent() ? now : goOn(now, watcher, stop);
        }
    }

    private RunRecord goOn(RunRecord dead, Watcher watcher, Stop stop) throws TroubleException, InterruptedException {
        OpenRun run = open(dead, OpenRun.Beginning.AGAIN, watcher);
        if (dead.undoes().isPresent()) {
            RunRecord undone = hosts.record(dead.undoes().get());
            return toItsEnd(run, () -> undoing.resume(run, undone, watcher, stop));
        }
        Aim aim = site.journal().aim(dead.number());
        if (dead.changes().isEmpty() && aim.last().isEmpty()) {
            return run.close(RunRecord.State.STOPPED, "it died before it had begun");
        }
        Situation.Subject card = card(dead);
        return toItsEnd(run, walk(run, card, aim, watcher, stop)::goOn);
    }

    /** A card's id ends in its slot. */
    private static Situation.Subject card(RunRecord run) throws TroubleException {
        RunRecord.CardRef card = run.card().orElseThrow(() -> unknownCard(run));
        PciAddress slot = PciAddress.parse(card.id().substring(card.id().lastIndexOf('/') + 1))
                .orElseThrow(() -> unknownCard(run));
        return new Situation.Subject(card.id(), card.name(), run.host(), slot);
    }

    private static TroubleException unknownCard(RunRecord run) {
        return Refusal.missing("run " + run.number(), "the journal does not say at which slot its card is",
                "Undo the run instead.");
    }

    @Override
    public UndoPlan undoPlan(long number, Watcher watcher) throws TroubleException, InterruptedException {
        RunRecord record = hosts.record(number);
        if (record.ended().isPresent()) {
            return undoing.plan(record, watcher);
        }
        // It runs now, which is told by the lock, or has died.
        try (HostLocks.Held held = hosts.take(record.host())) {
            return undoing.plan(hosts.record(number), watcher);
        }
    }

    @Override
    public RunRecord undo(long number, Watcher watcher, Stop stop) throws TroubleException, InterruptedException {
        RunRecord record = hosts.record(number);
        try (HostLocks.Held held = hosts.take(record.host())) {
            for (RunRecord dead : hosts.unfinished(record.host())) {
                if (dead.undoes().equals(Optional.of(number))) {
                    return goOn(dead, watcher, stop);
                }
            }
            hosts.refuseIfAnotherDied(record.host(), number);
            return undo(hosts.record(number), watcher, stop);
        }
    }

    private RunRecord undo(RunRecord record, Watcher watcher, Stop stop) throws TroubleException, InterruptedException {
        if (record.state() == RunRecord.State.SKIPPED) {
            site.journal().close(record.number(), RunRecord.State.UNDONE, record.note(), site.patience().now());
            return hosts.record(record.number());
        }
        List<Journal.Intended> changes = undoing.changes(record, watcher);
        if (record.ended().isEmpty()) {
            open(record, OpenRun.Beginning.AGAIN, watcher).close(RunRecord.State.STOPPED, "it had died, and was not gone on with");
        }
        RunRecord begun = site.journal().begin(new Journal.Opening(site.id(), "Undo run " + record.number() + ": "
                + record.title(), record.host(), record.card(), Hosts.BY_WHOM, Optional.of(record.number()), Aim.NONE,
                site.patience().now()));
        OpenRun run = open(begun, OpenRun.Beginning.NEW, watcher);
        run.add(changes);
        return toItsEnd(run, () -> undoing.goOn(run, watcher, stop));
    }

    @Override
    public RunRecord skip(Situation.Subject card, String step, String reason) throws TroubleException {
        OpenRun run = begin(card, site.ladder().title(step), LeftOut.aim(step), Watcher.NONE);
        return run.close(RunRecord.State.SKIPPED, "skipped: " + reason);
    }

    @Override
    public void close() {
        site.systems().close();
    }
}
