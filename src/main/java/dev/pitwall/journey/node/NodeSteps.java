package dev.pitwall.journey.node;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The steps inside a node with a package manager. */
public final class NodeSteps {
    private NodeSteps() {
    }

    /**
     * In the order in which they are walked: {@code driver}, {@code runtime}.
     *
     * @param talosDriver  what step {@code driver} says of a node that runs Talos
     * @param talosRuntime what step {@code runtime} says of one
     */
    public static List<Step> all(Function<Situation, Optional<Answer>> talosDriver,
                                 Function<Situation, Optional<Answer>> talosRuntime) {
        Sentences texts = new Sentences("journey/node");
        NodeTimes times = new NodeTimes();
        DriverPackages packages = new DriverPackages();
        DriverStep driver = new DriverStep(new NodeReading(talosDriver, texts), new Generations(), packages,
                new DriverReleases(), times, texts);
        return List.of(driver, new RuntimeStep(new NodeReading(talosRuntime, texts), driver, packages, times, texts));
    }
}
