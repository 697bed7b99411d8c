package dev.pitwall.cli.journey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.OpenSites;
import dev.pitwall.cli.Output;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code pitwall apply}: walks a card up; one that died with the same goal is gone on with. */
@Command(name = "apply", mixinStandardHelpOptions = true,
        description = "Makes the changes of a card's steps, one after the other, and proves each step.",
        footer = {"", "A run that died is gone on with by the same command; another one is refused until then.", "",
                "Exit codes: 0 done, or nothing to do; 1 refused, blocked, stopped or failed; 2 bad use; "
                        + "3 a system was not reached."})
public final class ApplyCommand implements Callable<Integer> {
    private final OnCard onCard;
    private final Output output;

    @Mixin
    private CardOptions card;

    @Option(names = "--yes", description = "Really do it; without it only the plan is shown.")
    private boolean yes;

    public ApplyCommand(OpenSites sites, Journeys journeys, Output output) {
        this.onCard = new OnCard(sites, journeys, output);
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        return onCard.call(card, yes ? this::apply : this::onlyShow);
    }

    private int onlyShow(OnCard.Aimed aimed) throws TroubleException, InterruptedException {
        PlanReport.of(aimed, card.choices(), output).print(output, card.json());
        return output.badUse("--yes", "nothing was changed: this is done only with --yes");
    }

    private int apply(OnCard.Aimed aimed) throws TroubleException, InterruptedException {
        String last = aimed.last();
        Progress progress = new Progress(output, last);
        RunRecord run = aimed.journey().walk(aimed.card(), card.choices(), last, progress, new Stop());
        List<CardPlan.Planned> before = steps(progress.first(), last);
        List<CardPlan.Planned> after = steps(progress.last(), last);
        return new RunReport(run, StepResult.ofWalk(run, before, after)).print(output, card.json());
    }

    private static List<CardPlan.Planned> steps(Optional<CardPlan> plan, String last) {
        return plan.map(p -> PlanReport.upTo(p, last).steps()).orElse(List.of());
    }
}
