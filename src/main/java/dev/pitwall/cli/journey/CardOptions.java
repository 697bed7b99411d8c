package dev.pitwall.cli.journey;

import dev.pitwall.journey.Choices;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Which card, how far, and what was decided. */
final class CardOptions {
    @Mixin
    private SiteOptions site = new SiteOptions();

    @Option(names = "--card", required = true, paramLabel = "ID",
            description = "The card's id as \"pitwall status\" shows it, or a part of its id or name that fits "
                    + "one card only.")
    private String card;

    @ArgGroup(exclusive = true)
    private Goal goal = new Goal();

    @Option(names = "--set", paramLabel = "KEY=VALUE",
            description = "Decides a question of a step, for example vm=122; may be given several times.")
    private Map<String, String> set = new LinkedHashMap<>();

    @Option(names = "--wait", paramLabel = "SECONDS", defaultValue = "20",
            description = "How long to wait for slow sources to find the card, 1 to 600 (default: ${DEFAULT-VALUE}).")
    private int waitSeconds;

    /** Where to end; without it, at the last step. */
    private static final class Goal {
        @Option(names = "--to", paramLabel = "FLOOR",
                description = "Up to the last step of this floor, for example vm.")
        private String floor;

        @Option(names = "--step", paramLabel = "STEP", description = "Up to this step, for example bind.")
        private String step;
    }

    /** As {@link SiteOptions#site}. */
    String site() {
        return site.site();
    }

    boolean json() {
        return site.json();
    }

    String card() {
        return card;
    }

    Optional<String> floor() {
        return Optional.ofNullable(goal.floor);
    }

    Optional<String> step() {
        return Optional.ofNullable(goal.step);
    }

    Choices choices() {
        return Choices.of(set);
    }

    Duration patience() {
        return Duration.ofSeconds(waitSeconds);
    }

    boolean patienceFits() {
        return waitSeconds >= 1 && waitSeconds <= 600;
    }
}
