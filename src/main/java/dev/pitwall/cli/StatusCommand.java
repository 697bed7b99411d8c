package dev.pitwall.cli;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SiteView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.concurrent.Callable;

/** {@code pitwall status}: every card and its floors, read once. */
@Command(name = "status", mixinStandardHelpOptions = true,
        description = "Shows every card and its floors, read once from every source.",
        footer = {"", "Exit codes: 0 all cards up, 1 a card or system has a fault, 2 bad use, 3 a system was not reached."})
public final class StatusCommand implements Callable<Integer> {
    private final OpenSites openSites;
    private final Output output;

    @Option(names = "--site", paramLabel = "NAME|FILE",
            description = "A saved site, a site file or a kubeconfig; without it the practice lab is started.")
    private String site;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    @Option(names = "--wait", paramLabel = "SECONDS", defaultValue = "20",
            description = "How long to wait for slow sources, 1 to 600 (default: ${DEFAULT-VALUE}).")
    private int waitSeconds;

    public StatusCommand(OpenSites openSites, Output output) {
        this.openSites = openSites;
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (waitSeconds < 1 || waitSeconds > 600) {
            return output.badUse("--wait", waitSeconds + " is not between 1 and 600 seconds");
        }
        try (OpenSite open = openSites.open(site)) {
            Duration patience = Duration.ofSeconds(waitSeconds);
            SiteView view = open.firstCompleteView(patience);
            StatusReport report = new StatusReport(view, patience);
            if (json) {
                output.json(report.json());
            } else {
                output.text(report.text());
            }
            return report.exitCode();
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
    }
}
