package dev.pitwall.cli.journey;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.ExitCode;
import dev.pitwall.cli.Output;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.site.Site;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code pitwall journal}: every run of a site, or one with all its changes. */
@Command(name = "journal", mixinStandardHelpOptions = true,
        description = "Shows the runs of a site, newest first, or one of them.",
        footer = {"", "Exit codes: 0 shown, 2 bad use."})
public final class JournalCommand implements Callable<Integer> {
    private static final int MOST = 1000;

    private final Journeys journeys;
    private final Output output;

    @Mixin
    private SiteOptions site;

    @Option(names = "--run", paramLabel = "RUN", description = "Number of a run: shows it with all its changes.")
    private Long run;

    public JournalCommand(Journeys journeys, Output output) {
        this.journeys = journeys;
        this.output = output;
    }

    @Override
    public Integer call() {
        try {
            Site of = journeys.site(site.site() == null ? "" : site.site());
            if (run != null) {
                return one(of, run);
            }
            JournalReport report = new JournalReport(of.name(), journeys.journal().runs(of.id(), MOST));
            if (site.json()) {
                output.json(report.json());
            } else {
                output.text(report.text());
            }
            return ExitCode.FINE;
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
    }

    private int one(Site of, long number) throws TroubleException {
        Optional<RunRecord> record = journeys.journal().run(number).filter(r -> r.siteId().equals(of.id()));
        if (record.isEmpty()) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, "--run " + number,
                    "the journal of " + of.name() + " has no such run", "See them all with: pitwall journal"));
        }
        if (site.json()) {
            output.json(JournalReport.json(record.get()));
        } else {
            output.text(JournalReport.text(record.get()));
        }
        return ExitCode.FINE;
    }
}
