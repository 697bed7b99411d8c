package dev.pitwall;

import dev.pitwall.bench.FaultPage.Row;
import dev.pitwall.doctor.Treatment;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.lab.fault.FaultBoard;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One fault in a lab of its own, looked at by the Doctor and cured by its plan, as a row of the page. */
final class FaultWalk {
    private static final double SPEED = 60;
    private static final Duration TO_SHOW = Duration.ofSeconds(12);
    private static final Duration TO_BE_WELL = Duration.ofSeconds(25);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Each lab has other ones. */
    private static final Pattern PORT = Pattern.compile("(127\\.0\\.0\\.1:)\\d+");
    private static final int MOST_FOLLOWING = 2;

    private final Path dir;
    private final String scene;
    private final Words words;
    private final Extent extent;

    /** How much is printed beside the rows. */
    enum Words { FEW, ALL }

    /** Whether what is found is cured. */
    enum Extent { LOOK, CURE }

    FaultWalk(Path dir, String scene, Words words, Extent extent) {
        this.dir = dir;
        this.scene = scene;
        this.words = words;
        this.extent = extent;
    }

    Row of(FaultBoard.Known fault) throws Exception {
        String trap = fault.trap();
        String struck = trap + fault.cards().stream().findFirst().map(card -> "@" + card).orElse("");
        try (Clinic clinic = clinic(speed(trap), struck)) {
            long start = System.nanoTime();
            Diagnosis seen = look(clinic, List.of(trap));
            String found = seconds(start);
            say(seen);
            Optional<Finding> mine = mine(seen, trap);
            Outcome outcome = mine.isEmpty() || extent == Extent.LOOK ? Outcome.NONE : cure(clinic, mine.get(), seen);
            return new Row(List.of("`" + trap + "`", mine.map(f -> f.trap().floor().wireName()).orElse("–"), place(seen, trap), found,
                    outcome.then, outcome.by, outcome.seconds, besides(seen, trap)));
        }
    }

    Row of(FaultPairs.Pair pair) throws Exception {
        String lower = FaultPairs.Pair.trap(pair.lower());
        String higher = FaultPairs.Pair.trap(pair.higher());
        try (Clinic clinic = clinic(SPEED, pair.lower(), pair.higher())) {
            Diagnosis seen = look(clinic, List.of(lower, higher));
            say(seen);
            String first = seen.findings().isEmpty() ? "NO" : seen.findings().getFirst().trap().name();
            boolean folded = seen.findings().stream().anyMatch(f -> f.explained().contains(higher));
            String other = mine(seen, higher).isPresent() ? "told" : folded ? "told as what follows" : "NO";
            return new Row(List.of("`" + lower + "`", "`" + higher + "`", first.equals(lower) ? "the lower" : "NO: " + first, other));
        }
    }

    private Clinic clinic(double speed, String... faults) throws Exception {
        return new Clinic(Files.createTempDirectory(dir, "lab"), scene, speed, List.of(faults));
    }

    /** What is over by itself must not be over before anybody looks. */
    private static double speed(String trap) {
        return trap.startsWith("waiting") || trap.endsWith("pending") ? 2 : SPEED;
    }

    /** What was struck shows when those who meet it have met it. */
    private static Diagnosis look(Clinic clinic, List<String> traps) throws Exception {
        long start = System.nanoTime();
        Diagnosis seen = clinic.diagnose();
        while (!traps.stream().allMatch(known(seen)::contains) && System.nanoTime() - start < TO_SHOW.toNanos()) {
            TimeUnit.MILLISECONDS.sleep(500);
            seen = clinic.diagnose();
        }
        return seen;
    }

    private static List<String> known(Diagnosis seen) {
        return Stream.concat(all(seen), Stream.of()).map(f -> f.trap().name()).toList();
    }

    private static Stream<Finding> all(Diagnosis seen) {
        return Stream.concat(seen.findings().stream(), Stream.concat(seen.advice().stream(),
                seen.waiting().stream().map(Diagnosis.Waiting::finding)));
    }

    private static Optional<Finding> mine(Diagnosis seen, String trap) {
        return all(seen).filter(f -> f.trap().name().equals(trap)).findFirst();
    }

    private static String place(Diagnosis seen, String trap) {
        int place = IntStream.range(0, seen.findings().size()).filter(i -> seen.findings().get(i).trap().name().equals(trap))
                .findFirst().orElse(-1);
        return mine(seen, trap).isEmpty() ? "NO" : place > 0 ? "place " + (place + 1)
                : place < 0 && !seen.findings().isEmpty() ? "beside" : "first";
    }

    private static String besides(Diagnosis seen, String trap) {
        return String.join(", ", Stream.concat(seen.findings().stream().filter(f -> !f.trap().name().equals(trap))
                .map(f -> f.trap().name() + (f.certain() ? "" : "?")), seen.unseen().stream().map(u -> "not seen: " + PORT.matcher(u).replaceAll("$1PORT"))).toList());
    }

    /** What came of a cure, in the words of the page. */
    private record Outcome(String then, String by, String seconds) {
        static final Outcome NONE = new Outcome("", "", "");
    }

    private Outcome cure(Clinic clinic, Finding finding, Diagnosis before) throws Exception {
        if (finding.trap().kind() == Trap.Kind.WAITING) {
            return new Outcome("waits", "", "");
        }
        long start = System.nanoTime();
        Treatment treatment = clinic.treatment(finding);
        if (!treatment.canBeMade()) {
            boolean steps = !finding.trap().fix().steps().isEmpty();
            return new Outcome(steps ? "by hand" : "NO: no steps", means(treatment), "");
        }
        String then = made(clinic, treatment);
        List<String> following = new ArrayList<>();
        Diagnosis after = well(clinic);
        while (then.equals("cured") && following.size() < MOST_FOLLOWING && fresh(after, before).isPresent()) {
            Finding next = fresh(after, before).get();
            Treatment more = clinic.treatment(next);
            if (!more.canBeMade()) {
                break;
            }
            say("  then");
            say(after);
            following.add(next.trap().name() + " " + made(clinic, more));
            after = well(clinic);
        }
        if (!after.findings().isEmpty()) {
            say("  left");
            say(after);
        }
        String left = String.join(", ", after.findings().stream().map(f -> f.trap().name() + (f.certain() ? "" : "?")).toList());
        return new Outcome(then + (following.isEmpty() ? "" : ", then " + String.join(", then ", following))
                + (left.isEmpty() ? "" : "; left: " + left), means(treatment), seconds(start));
    }

    private static Optional<Finding> fresh(Diagnosis after, Diagnosis before) {
        return after.findings().stream().filter(f -> !known(before).contains(f.trap().name())).findFirst();
    }

    private static String means(Treatment treatment) {
        return switch (treatment.means()) {
            case Treatment.WizardStep s -> "step " + s.step();
            case Treatment.OwnCure c -> "cure";
            case Treatment.ByHand h -> h.why().replace("|", "/");
        };
    }

    private String made(Clinic clinic, Treatment treatment) throws Exception {
        treatment.changes().forEach(c -> say("    " + c.kind() + " " + c.target() + " · " + c.summary()));
        String trap = treatment.finding().trap().name();
        Stop stop = new Stop();
        Thread bell = Thread.ofVirtual().start(() -> {
            try {
                TimeUnit.NANOSECONDS.sleep(LIMIT.toNanos());
                stop.ask();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        RunRecord run = clinic.apply(treatment, stop);
        bell.interrupt();
        Diagnosis after = clinic.diagnose();
        for (int i = 0; i < 10 && mine(after, trap).isPresent() && run.state() == RunRecord.State.DONE; i++) {
            TimeUnit.MILLISECONDS.sleep(500);
            after = clinic.diagnose();
        }
        if (mine(after, trap).isPresent() || run.state() != RunRecord.State.DONE) {
            say(after);
        }
        return run.state() != RunRecord.State.DONE ? "NO: " + run.state().name().toLowerCase(Locale.ROOT) + " "
                + run.note().orElse("").replace("|", "/") : mine(after, trap).isPresent() ? "NO: still found" : "cured";
    }

    /** Pods come up for a while after what kept them down has gone. */
    private static Diagnosis well(Clinic clinic) throws Exception {
        long start = System.nanoTime();
        Diagnosis seen = clinic.diagnose();
        while (!seen.findings().isEmpty() && System.nanoTime() - start < TO_BE_WELL.toNanos()) {
            TimeUnit.MILLISECONDS.sleep(500);
            seen = clinic.diagnose();
        }
        return seen;
    }

    private void say(String line) {
        if (words == Words.ALL) {
            System.out.println(line);
        }
    }

    private void say(Diagnosis seen) {
        seen.findings().forEach(f -> {
            say("  " + f.trap().name() + " " + f.confidence() + " " + f.nodes() + " " + f.cards() + " " + f.summary());
            f.evidence().forEach(p -> say("      " + p.line().map(l -> l.from() + ":" + l.number() + ": " + l.text()).orElse(p.says())));
            say("      explains " + f.explained());
        });
        seen.waiting().forEach(w -> say("  waiting " + w.finding().trap().name() + " " + w.finding().summary()));
        seen.advice().forEach(f -> say("  advice " + f.trap().name() + " " + f.summary()));
        say("  next " + seen.next() + " unseen " + seen.unseen() + " looked " + seen.looked());
    }

    private static String seconds(long from) {
        return String.format(Locale.ROOT, "%.1f", (System.nanoTime() - from) / 1e9);
    }
}
