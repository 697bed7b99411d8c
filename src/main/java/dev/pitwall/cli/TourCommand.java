package dev.pitwall.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code pitwall tour}: the journey on the lab, no display, a picture of each screen. */
@Command(name = "tour", mixinStandardHelpOptions = true,
        description = "Walks through Pitwall on the practice lab without a display and writes a picture of each screen.",
        footer = {"", "Exit codes: 0 every station was reached, 1 one was not, 2 bad use."})
public final class TourCommand implements Callable<Integer> {
    private final Tour tour;
    private final Output output;

    @Option(names = "--scene", paramLabel = "SCENE", defaultValue = "garage",
            description = "The lab's scene (default: ${DEFAULT-VALUE}).")
    private String scene;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "pitwall-tour",
            description = "Where the pictures go (default: ${DEFAULT-VALUE}).")
    private Path out;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    public TourCommand(Tour tour, Output output) {
        this.tour = tour;
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            List<Tour.Station> stations = tour.walk(scene, out.toAbsolutePath().normalize(), output::note);
            if (json) {
                output.json(describe(stations));
            } else {
                stations.forEach(s -> output.text("%-14s %s%n               %s%n".formatted(s.name(), s.what(), s.picture())));
            }
            return stations.stream().allMatch(Tour.Station::reached) ? ExitCode.FINE : ExitCode.FOUND;
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
    }

    private static ObjectNode describe(List<Tour.Station> stations) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ArrayNode list = root.putArray("stations");
        stations.forEach(s -> list.addObject().put("name", s.name()).put("what", s.what())
                .put("picture", s.picture().toString()).put("reached", s.reached()));
        return root;
    }
}
