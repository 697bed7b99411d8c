package dev.pitwall.cli.journey;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Card;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.ExitCode;
import dev.pitwall.cli.OpenSite;
import dev.pitwall.cli.OpenSites;
import dev.pitwall.cli.Output;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.proof.RollCall;
import dev.pitwall.journey.proof.RollCall.Entry;
import dev.pitwall.journey.proof.RollCall.Result;
import dev.pitwall.site.SiteView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code pitwall rollcall}: every card of a site computes something and says so. */
@Command(name = "rollcall", mixinStandardHelpOptions = true,
        description = "Proves all cards of a site anew, each with a pod of its own; the results are kept in the journal.",
        footer = {"", "Exit codes: 0 all cards passed; 1 one failed or was not tried; 2 bad use; "
                + "3 a system was not reached."})
public final class RollCallCommand implements Callable<Integer> {
    private final OpenSites sites;
    private final Journeys journeys;
    private final Output output;
    private final InstantSource clock;

    @Mixin
    private SiteOptions site;

    @Option(names = "--pause", description = "Stop what holds a card for its proof, and start it again afterwards; "
            + "without it a card that is held is left alone and named.")
    private boolean pause;

    @Option(names = "--wait", paramLabel = "SECONDS", defaultValue = "20",
            description = "How long to wait for slow sources to find the cards, 1 to 600 (default: ${DEFAULT-VALUE}).")
    private int waitSeconds;

    @Option(names = "--yes", description = "Really do it; without it only the cards that would be called are shown.")
    private boolean yes;

    public RollCallCommand(OpenSites sites, Journeys journeys, Output output, InstantSource clock) {
        this.sites = sites;
        this.journeys = journeys;
        this.output = output;
        this.clock = clock;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (waitSeconds < 1 || waitSeconds > 600) {
            return output.badUse("--wait", "give a number of seconds from 1 to 600");
        }
        try (OpenSite open = sites.open(site.site());
             Journey journey = journeys.open(open.live().site(), open.live()::nodes)) {
            SiteView view = open.firstCompleteView(Duration.ofSeconds(waitSeconds));
            List<Subject> cards = view.cards().stream()
                    .filter(card -> card.address().isPresent()).map(RollCallCommand::subject).toList();
            Optional<Trouble> silent = view.connections().stream().flatMap(c -> c.trouble().stream())
                    .filter(trouble -> trouble.kind().unreachable()).findFirst();
            if (cards.isEmpty() && silent.isPresent()) {
                return output.trouble(silent.get());
            }
            if (cards.isEmpty()) {
                throw new TroubleException(new Trouble(Trouble.Kind.MISSING, open.live().site().name(),
                        "the site shows no card in a host", "Look with: pitwall status"));
            }
            return yes ? call(open, journey, cards) : onlyShow(cards);
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
    }

    private static Subject subject(Card card) {
        return new Subject(card.id(), card.name(), card.host(), card.address().orElseThrow().slot());
    }

    private int onlyShow(List<Subject> cards) {
        cards.forEach(card -> output.note("would call " + card.id() + " (" + card.name() + ")"));
        return output.badUse("--yes", "nothing was run: this is done only with --yes");
    }

    private int call(OpenSite open, Journey journey, List<Subject> cards)
            throws TroubleException, InterruptedException {
        List<Entry> entries = new RollCall(journey).call(cards, pause ? RollCall.Held.PAUSED : RollCall.Held.LEFT,
                clock.instant(), new Progress(output), new Stop());
        if (site.json()) {
            output.json(json(open.live().site().name(), entries));
        } else {
            entries.forEach(e -> output.text("%-28s %-10s %s%n".formatted(e.card().id(), e.result().wireName(), e.why())));
        }
        return entries.stream().anyMatch(e -> e.result() == Result.UNREACHED) ? ExitCode.UNREACHABLE
                : entries.stream().allMatch(e -> e.result() == Result.PASSED) ? ExitCode.FINE : ExitCode.FOUND;
    }

    private static ObjectNode json(String site, List<Entry> entries) {
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("site", site);
        ArrayNode cards = root.putArray("cards");
        for (Entry entry : entries) {
            cards.addObject().put("card", entry.card().id()).put("name", entry.card().name())
                    .put("result", entry.result().wireName()).put("why", entry.why())
                    .put("run", entry.run().map(RunRecord::number).orElse(null))
                    .put("seconds", entry.run().flatMap(RunRecord::took).map(Duration::toSeconds).orElse(null));
        }
        return root;
    }
}
