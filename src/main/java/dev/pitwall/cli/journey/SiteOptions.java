package dev.pitwall.cli.journey;

import picocli.CommandLine.Option;

/** The options of every command of the wizard. */
final class SiteOptions {
    @Option(names = "--site", paramLabel = "NAME|FILE",
            description = "A saved site or a site file; without it the practice lab is started.")
    private String site;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    /** As {@link dev.pitwall.cli.OpenSites} takes it: null for the practice lab. */
    String site() {
        return site;
    }

    boolean json() {
        return json;
    }
}
