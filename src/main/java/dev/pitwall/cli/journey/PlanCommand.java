package dev.pitwall.cli.journey;

import dev.pitwall.cli.OpenSites;
import dev.pitwall.cli.Output;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Export;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** {@code pitwall plan}: what would be changed, exactly; changes nothing. */
@Command(name = "plan", mixinStandardHelpOptions = true,
        description = "Shows what would be changed for a card, exactly. Changes nothing.",
        footer = {"", "Exit codes: 0 it can be done or is done, 1 a step is blocked or cannot tell, 2 bad use, "
                + "3 a system was not reached."})
public final class PlanCommand implements Callable<Integer> {
    private final OpenSites sites;
    private final Journeys journeys;
    private final Output output;

    @Mixin
    private SiteOptions site;

    @Mixin
    private CardOptions card;

    @Option(names = "--export", paramLabel = "KIND",
            description = "Write the plan for another tool: bash, ansible, terraform, helm-values, talos-patch.")
    private String export;

    public PlanCommand(OpenSites sites, Journeys journeys, Output output) {
        this.sites = sites;
        this.journeys = journeys;
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        Optional<Export> form = journeys.exports().stream().filter(e -> e.kind().equals(export)).findFirst();
        if (export != null && form.isEmpty()) {
            return output.badUse("--export", "\"" + export + "\" is no form that plans can be written in; " + forms());
        }
        return new OnCard(sites, journeys, output).call(site, card, (journey, subject, last) ->
                show(PlanReport.upTo(journey.look(subject, card.choices(), new Progress(output)), last), form));
    }

    private String forms() {
        List<Export> there = journeys.exports();
        return there.isEmpty() ? "there is none yet"
                : "there are: " + there.stream().map(Export::kind).collect(Collectors.joining(", "));
    }

    private int show(CardPlan plan, Optional<Export> form) {
        PlanReport report = new PlanReport(plan);
        if (form.isPresent()) {
            output.text(form.get().render(plan));
        } else if (site.json()) {
            output.json(report.json());
        } else {
            output.text(report.text());
        }
        return report.exitCode();
    }
}
