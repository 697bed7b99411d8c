package dev.pitwall.cli;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.bench.Benchmark;
import dev.pitwall.engine.policy.Policies;
import dev.pitwall.engine.sim.Figures;
import dev.pitwall.engine.sim.Simulator;
import dev.pitwall.engine.trace.FleetReader;
import dev.pitwall.engine.trace.TraceReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** {@code pitwall simulate}: replays a request trace through placement policies. */
@Command(name = "simulate", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Replays a request trace through placement policies and compares what they come to.",
        footer = {"", "TRACE is a CSV file with the columns timeMs,model,promptTokens,outputTokens; FLEET is JSON:",
                "{providers:[{id, node, vramMiB, reserveMiB, loadMiBPerSecond, maxParallel}], models:[{name, weightsMiB,",
                "kvKiBPerToken, contextTokens, tokensPerSecond}], pins:[{model, provider}]}.", "",
                "Exit codes: 0 done, 2 bad use or a file that cannot be used."})
public final class SimulateCommand implements Callable<Integer> {
    /** The validation seeds begin after as many. */
    private static final int MOST_SEEDS = 50;

    private final Output output;

    @Option(names = "--trace", paramLabel = "CSV", description = "The requests.")
    private String trace;

    @Option(names = "--fleet", paramLabel = "JSON", description = "Providers, models and pins.")
    private String fleet;

    @Option(names = "--policy", paramLabel = "P[,P…]",
            description = "pitwall, ollama, lru, lfu, largest-first, gdsf, landlord, kubemoot, static, unlimited, offline.")
    private List<String> policies;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    @Option(names = "--bench", description = "Instead: run pitwall and the baselines over drawn traces of eight kinds.")
    private boolean bench;

    @Option(names = "--seeds", paramLabel = "N", defaultValue = "8",
            description = "With --bench: traces of each kind, 1 to 50 (default: ${DEFAULT-VALUE}).")
    private int seeds;

    public SimulateCommand(Output output) {
        this.output = output;
    }

    @Override
    public Integer call() {
        if (bench) {
            return bench();
        }
        if (trace == null || fleet == null || policies == null) {
            return trace == null ? output.badUse("--trace", "is missing: give CSV")
                    : fleet == null ? output.badUse("--fleet", "is missing: give JSON")
                    : output.badUse("--policy", "is missing: give P[,P…]");
        }
        Set<Policies> chosen = new LinkedHashSet<>();
        for (String name : policies.stream().flatMap(p -> Arrays.stream(p.split(",", -1))).map(String::strip).toList()) {
            Optional<Policies> policy = Policies.of(name);
            if (policy.isEmpty()) {
                return output.badUse("--policy", "there is no policy \"" + name + "\"; there are " + names());
            }
            chosen.add(policy.get());
        }
        try {
            return simulate(chosen);
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
    }

    private int bench() {
        if (seeds < 1 || seeds > MOST_SEEDS) {
            return output.badUse("--seeds", seeds + " is not between 1 and " + MOST_SEEDS);
        }
        BenchReport report = new BenchReport(seeds);
        output.text(report.families(Benchmark.Seeds.CHOSEN_WITH));
        output.text(report.families(Benchmark.Seeds.VALIDATION));
        output.text(report.smallCases());
        output.text(report.largeFleet());
        output.text(report.saturatedFleet());
        return ExitCode.FINE;
    }

    private static String names() {
        return Arrays.stream(Policies.values()).map(Policies::wireName).collect(Collectors.joining(", "));
    }

    private int simulate(Set<Policies> chosen) throws TroubleException {
        Fleet providers = read("--fleet", fleet, new FleetReader(fleet)::read);
        TraceReader.Trace requests = read("--trace", trace, new TraceReader(trace, providers)::read);
        if (requests.order() == TraceReader.Order.PUT_IN_ORDER) {
            output.note(trace + ": its lines are not in the order of time; they were put in order");
        }
        List<Figures> figures = new ArrayList<>();
        for (Policies policy : chosen) {
            Fleet shown = policy.fleet(providers);
            figures.add(new Simulator(shown, policy.create(shown, requests.requests())).run(requests.requests()));
        }
        SimulateReport report = new SimulateReport(figures);
        if (json) {
            output.json(report.json());
        } else {
            output.text(report.text());
        }
        return ExitCode.FINE;
    }

    private interface Reading<T> {
        T from(BufferedReader text) throws TroubleException;
    }

    /** A folder can be opened but not read. */
    private static Path file(String name) throws IOException {
        Path path = Path.of(name);
        if (Files.isDirectory(path)) {
            throw new IOException(name + " is a folder");
        }
        return path;
    }

    private static <T> T read(String option, String file, Reading<T> reading) throws TroubleException {
        try (BufferedReader text = Files.newBufferedReader(file(file))) {
            return reading.from(text);
        } catch (NoSuchFileException | InvalidPathException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, option + " " + file, "there is no such file",
                    "Check the name."), e);
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, option + " " + file, "it cannot be read",
                    "Check that it is a file and that you may read it."), e);
        }
    }
}
