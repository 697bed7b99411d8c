package dev.pitwall;

import dev.pitwall.doctor.Treatment;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.fault.FaultBoard;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Walks all faults of the lab, each in a lab of its own: is it found, is it first, on which floor, and does its own plan cure
 * it? Arguments: a scene, then names of faults; without names all that the scene can express. {@code -v} prints the evidence,
 * {@code -l} only looks and cures nothing.
 */
final class FaultBench {
    private static final double SPEED = 60;
    private static final Duration TO_SHOW = Duration.ofSeconds(8);

    private FaultBench() {
    }

    public static void main(String... arguments) throws Exception {
        String scene = arguments.length == 0 ? "garage" : arguments[0];
        Set<String> wanted = new TreeSet<>(Stream.of(arguments).skip(1).filter(a -> !a.startsWith("-")).toList());
        boolean verbose = List.of(arguments).contains("-v");
        boolean looks = List.of(arguments).contains("-l");
        Path dir = Files.createTempDirectory(Path.of(System.getProperty("bench.dir", "/tmp")), "bench");
        System.out.println("| trap | found | first | floor | confidence | seconds | means | cured | seconds | besides |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|");
        if (wanted.contains("none")) {
            try (Clinic clinic = new Clinic(Files.createTempDirectory(dir, "lab"), scene, SPEED, List.of())) {
                TimeUnit.SECONDS.sleep(3);
                long start = System.nanoTime();
                say(clinic.diagnose());
                System.out.println("healthy: " + seconds(start, System.nanoTime()) + " s");
            }
        }
        for (FaultBoard.Known fault : Lab.faultsOf(LabOptions.garage(dir.resolve("none")).withScene(scene))) {
            if (wanted.isEmpty() || wanted.contains(fault.trap())) {
                System.out.println(row(dir, scene, fault, verbose, looks));
            }
        }
        System.exit(0);
    }

    private static String row(Path dir, String scene, FaultBoard.Known fault, boolean verbose, boolean looks) {
        String card = fault.cards().stream().findFirst().orElse("");
        String name = fault.trap() + (card.isEmpty() ? "" : "@" + card);
        try (Clinic clinic = new Clinic(Files.createTempDirectory(dir, "lab"), scene, speed(fault.trap()), List.of(name))) {
            long start = System.nanoTime();
            Diagnosis seen = clinic.diagnose();
            while (mine(seen, fault.trap()).isEmpty() && System.nanoTime() - start < TO_SHOW.toNanos()) {
                TimeUnit.MILLISECONDS.sleep(500);
                seen = clinic.diagnose();
            }
            long found = System.nanoTime();
            if (verbose) {
                say(seen);
            }
            Optional<Finding> mine = mine(seen, fault.trap());
            String first = seen.findings().isEmpty() ? "-" : seen.findings().getFirst().trap().name();
            String cure = mine.isEmpty() || looks ? "| | " : cure(clinic, mine.get(), fault.trap(), verbose);
            String others = String.join(", ", Stream.concat(seen.findings().stream().filter(f -> !f.trap().name().equals(fault.trap()))
                    .map(f -> f.trap().name() + (f.certain() ? "" : "?") + f.nodes()), seen.unseen().stream().map(u -> "UNSEEN " + u)).toList());
            return "| " + fault.trap() + " | " + (mine.isPresent() ? "yes" : "NO") + " | " + (first.equals(fault.trap()) ? "yes" : first)
                    + " | " + mine.map(f -> f.trap().floor().wireName()).orElse("") + " | " + mine.map(f -> "" + f.confidence()).orElse("")
                    + " | " + seconds(start, found) + " | " + cure + " | " + others + " |";
        } catch (Exception e) {
            if (verbose) {
                e.printStackTrace();
            }
            return "| " + fault.trap() + " | ERROR " + e + " |";
        }
    }

    /** What is over by itself must not be over before anybody looks. */
    private static double speed(String trap) {
        return trap.startsWith("waiting") || trap.endsWith("pending") ? 2 : SPEED;
    }

    private static Optional<Finding> mine(Diagnosis seen, String trap) {
        return Stream.concat(seen.findings().stream(), Stream.concat(seen.advice().stream(),
                seen.waiting().stream().map(Diagnosis.Waiting::finding))).filter(f -> f.trap().name().equals(trap)).findFirst();
    }

    private static void say(Diagnosis seen) {
        seen.findings().forEach(f -> {
            System.out.println("  " + f.trap().name() + " " + f.confidence() + " " + f.nodes() + " " + f.cards() + " " + f.summary());
            f.evidence().forEach(p -> System.out.println("      " + p.line().map(l -> l.from() + ":" + l.number() + ": " + l.text())
                    .orElse(p.says())));
            System.out.println("      explains " + f.explained());
        });
        seen.waiting().forEach(w -> System.out.println("  waiting " + w.finding().trap().name() + " " + w.finding().summary()));
        seen.harmless().forEach(f -> System.out.println("  harmless " + f.trap().name() + " " + f.summary()));
        seen.advice().forEach(f -> System.out.println("  advice " + f.trap().name() + " " + f.summary()));
        System.out.println("  next " + seen.next() + " unseen " + seen.unseen() + " looked " + seen.looked());
    }

    private static String cure(Clinic clinic, Finding finding, String trap, boolean verbose) throws Exception {
        long start = System.nanoTime();
        Treatment treatment = clinic.treatment(finding);
        String means = switch (treatment.means()) {
            case Treatment.WizardStep s -> "step " + s.step();
            case Treatment.OwnCure c -> "cure " + c.cure();
            case Treatment.ByHand h -> "by hand (" + h.why() + ")";
        };
        if (verbose) {
            treatment.changes().forEach(c -> System.out.println("    " + c.kind() + " " + c.target() + " · " + c.summary()));
        }
        if (!treatment.canBeMade()) {
            return means + " | | ";
        }
        Stop stop = new Stop();
        Thread bell = Thread.ofVirtual().start(() -> {
            try {
                TimeUnit.SECONDS.sleep(40);
                stop.ask();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        RunRecord run = clinic.apply(treatment, stop);
        bell.interrupt();
        Diagnosis after = clinic.diagnose();
        for (int i = 0; i < 6 && mine(after, trap).isPresent() && run.state() == RunRecord.State.DONE; i++) {
            TimeUnit.MILLISECONDS.sleep(500);
            after = clinic.diagnose();
        }
        String left = String.join(", ", after.findings().stream().map(f -> f.trap().name()).toList());
        String cured = mine(after, trap).isPresent() ? "NO" : "yes";
        return means + " | " + cured + " " + run.state() + (run.state() == RunRecord.State.DONE ? "" : " " + run.note().orElse(""))
                + (left.isEmpty() ? "" : " left: " + left) + " | " + seconds(start, System.nanoTime());
    }

    private static String seconds(long from, long to) {
        return Math.round((to - from) / 1e8) / 10.0 + "";
    }
}
