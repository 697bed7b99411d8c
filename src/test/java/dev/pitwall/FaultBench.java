package dev.pitwall;

import dev.pitwall.bench.FaultPage;
import dev.pitwall.bench.FaultPage.Row;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.fault.FaultBoard;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Walks the faults of the lab, each in a lab of its own: is it found, is it first, on which floor, does its own plan cure it,
 * and is the lab healthy then? Arguments: a scene, then names of faults; without names all that the scene can express. Options:
 * {@code -v} prints the evidence, {@code -l} only looks and cures nothing, {@code -p} walks pairs of faults instead,
 * {@code -w FILE} writes the rows into that page beside those it has.
 */
final class FaultBench {
    private final Path dir;
    private final String scene;
    private final FaultWalk walk;
    private final Optional<FaultPage> page;

    private FaultBench(Path dir, String scene, FaultWalk walk, Optional<FaultPage> page) {
        this.dir = dir;
        this.scene = scene;
        this.walk = walk;
        this.page = page;
    }

    public static void main(String... arguments) throws Exception {
        List<String> all = List.of(arguments);
        int write = all.indexOf("-w");
        Optional<FaultPage> page = write < 0 ? Optional.empty() : Optional.of(FaultPage.of(Path.of(all.get(write + 1))));
        List<String> names = Stream.concat(all.stream().limit(write < 0 ? all.size() : write),
                all.stream().skip(write < 0 ? all.size() : write + 2)).filter(a -> !a.startsWith("-")).toList();
        String scene = names.isEmpty() ? "garage" : names.getFirst();
        Path dir = Files.createTempDirectory(Path.of(System.getProperty("bench.dir", System.getProperty("java.io.tmpdir"))), "bench");
        FaultWalk walk = new FaultWalk(dir, scene, all.contains("-v") ? FaultWalk.Words.ALL : FaultWalk.Words.FEW,
                all.contains("-l") ? FaultWalk.Extent.LOOK : FaultWalk.Extent.CURE);
        FaultBench bench = new FaultBench(dir, scene, walk, page);
        if (all.contains("-p")) {
            bench.pairs();
        } else {
            bench.faults(new TreeSet<>(names.stream().skip(1).toList()));
        }
        System.exit(0);
    }

    /** What is in no vocabulary is no cause: a host that is silent is told as what could not be looked at. */
    private void faults(Set<String> wanted) throws Exception {
        TrapCatalogue known = TrapCatalogue.load();
        for (FaultBoard.Known fault : Lab.faultsOf(LabOptions.garage(dir.resolve("none")).withScene(scene))) {
            if (known.named(fault.trap()).isPresent() && (wanted.isEmpty() || wanted.contains(fault.trap()))) {
                tell(fault);
            }
        }
    }

    /** What needs objects that only the running cluster shows turns out to be impossible when the lab starts. */
    private void tell(FaultBoard.Known fault) throws Exception {
        try {
            told(FaultPage.Table.FAULTS, walk.of(fault));
        } catch (TroubleException e) {
            System.out.println(fault.trap() + ": " + e.trouble().what());
        }
    }

    private void pairs() throws Exception {
        for (FaultPairs.Pair pair : FaultPairs.of(scene)) {
            told(FaultPage.Table.PAIRS, walk.of(pair));
        }
    }

    private void told(FaultPage.Table table, Row row) throws Exception {
        System.out.println(row.line());
        if (page.isPresent()) {
            page.get().put(table, scene, row);
        }
    }
}
