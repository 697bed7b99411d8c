package dev.pitwall.doctor.likeness;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.catalogue.Trap.Kind;
import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.diagnosis.Finding.Proof;
import dev.pitwall.doctor.diagnosis.Finding.Role;
import dev.pitwall.doctor.likeness.KnownReports.Alike;
import dev.pitwall.doctor.likeness.KnownReports.Opinion;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.SignBook;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Adds causes that are worth a look where the rules name none for certain: those of the public reports that read most
 * alike. It never displaces what a rule says, never sounds certain, and keeps quiet about a text of another maker's cards,
 * about one in which things are seen to work, and about a whole cluster, which the rules see better.
 */
public final class SecondOpinion {
    /** How many causes are worth a look. */
    private static final int MOST = 3;
    /**
     * How much a text that complains must read like trouble before causes are named though no rule names any. Of our 236
     * reports that are no trouble of a card nine reach what they must, each judged by a table without it
     * ({@code KnownReportsTest}).
     */
    private static final double NAMED = 0.45;
    /** The same of a text that does not complain: people also show a setting, or what is not there. */
    private static final double NAMED_WITHOUT_COMPLAINT = 0.6;
    /** How much a text must read like trouble before a report is worth a comparison. */
    private static final double COMPARED = -0.2;
    /** Score from which a cause is worth a look. Of 165 causes that stood first or second below it, four were right. */
    private static final double WORTH = -0.8;
    private static final double LEAST = 0.30;
    private static final double PER_SCORE = 0.1;
    private static final double HIGHEST = 0.45;
    private static final int MOST_LINES = 2;
    private static final List<SignRef> SEEN_BETTER = List.of(SignRef.of("cluster-seen"), SignRef.of("nothing-amiss"),
            SignRef.of("only-foreign-devices"));

    private final Supplier<KnownReports> load;
    private final TrapCatalogue catalogue;
    private Optional<KnownReports> loaded = Optional.empty();

    /** @param load asked once, when the reports are first needed: they take half a second, and a live site never needs them */
    public SecondOpinion(Supplier<KnownReports> load, TrapCatalogue catalogue) {
        this.load = load;
        this.catalogue = catalogue;
    }

    /** The diagnosis of the rules, with what the reports add to it where no rule is certain. */
    public Diagnosis on(Diagnosis rules, SignBook book, ReportWords words) {
        boolean silent = rules.findings().isEmpty();
        if (!words.isReport() || SEEN_BETTER.stream().anyMatch(book::has)
                || silent && (!words.isAboutCards() || !rules.waiting().isEmpty())
                || rules.findings().stream().anyMatch(Finding::certain)) {
            return rules;
        }
        KnownReports reports = reports();
        Map<String, Integer> counts = words.counts();
        Opinion opinion = reports.of(counts);
        List<Alike> alike = worthALook(rules, opinion.alike());
        if (alike.isEmpty() || silent && opinion.trouble() < COMPARED) {
            return rules;
        }
        return silent && opinion.trouble() < (words.complains() ? NAMED : NAMED_WITHOUT_COMPLAINT) ? rules.next(more(rules.next(), alike.getFirst().cause(), reports, counts))
                : with(rules, alike, reports, counts, words);
    }

    private synchronized KnownReports reports() {
        if (loaded.isEmpty()) {
            loaded = Optional.of(load.get());
        }
        return loaded.get();
    }

    private List<Alike> worthALook(Diagnosis rules, List<Alike> alike) {
        Set<String> told = rules.findings().stream().map(f -> f.trap().name()).collect(Collectors.toSet());
        rules.findings().forEach(f -> f.ruledOut().forEach(r -> told.add(r.trap())));
        return alike.stream().filter(a -> a.score() > WORTH && !told.contains(a.cause()))
                .filter(a -> catalogue.named(a.cause()).filter(t -> t.kind() == Kind.FAULT).isPresent())
                .limit(Math.max(0, MOST - rules.findings().size())).toList();
    }

    private Diagnosis with(Diagnosis rules, List<Alike> alike, KnownReports reports, Map<String, Integer> counts,
                           ReportWords words) {
        List<Finding> findings = new ArrayList<>(rules.findings());
        double most = findings.isEmpty() ? HIGHEST : findings.getLast().confidence();
        for (Alike one : alike) {
            double confidence = Math.clamp(LEAST + PER_SCORE * (1 + one.score()), LEAST, Math.min(most, HIGHEST));
            findings.add(finding(catalogue.named(one.cause()).orElseThrow(), confidence, reports, counts, words));
        }
        return rules.findings(findings);
    }

    private static Finding finding(Trap trap, double confidence, KnownReports reports, Map<String, Integer> counts,
                                   ReportWords words) {
        String nearest = reports.nearest(trap.name(), counts);
        List<Proof> proofs = telling(reports.speakingFor(trap.name()), words).stream()
                .map(line -> new Proof(Role.SYMPTOM, "", Optional.of(line))).toList();
        return new Finding(trap, Math.round(confidence * 100) / 100.0, "No rule proves a cause. Worth a look: " + trap.title()
                + (nearest.isEmpty() ? "" : ". A public report of it reads most like this: " + nearest), List.of(), List.of(), proofs, List.of(), List.of());
    }

    /** The lines whose terms speak most for a cause, in the order of the text. */
    private static List<Cited> telling(Map<String, Double> speaking, ReportWords words) {
        Map<Cited, Double> weights = new HashMap<>();
        words.lines().forEach(line -> weights.put(line, weight(speaking, line.text())));
        List<Cited> best = words.lines().stream().filter(line -> weights.get(line) > 0)
                .sorted(Comparator.comparing(weights::get, Comparator.reverseOrder())).limit(MOST_LINES).toList();
        return words.lines().stream().filter(best::contains).distinct().toList();
    }

    private static double weight(Map<String, Double> speaking, String line) {
        double[] sum = new double[1];
        Terms.of(line, term -> sum[0] += speaking.getOrDefault(term, 0.0));
        return sum[0];
    }

    private List<String> more(List<String> next, String cause, KnownReports reports, Map<String, Integer> counts) {
        String nearest = reports.nearest(cause, counts);
        if (nearest.isEmpty()) {
            return next;
        }
        List<String> all = new ArrayList<>(next);
        all.add("Compare with a public report that reads most like this and whose cause was \""
                + catalogue.named(cause).orElseThrow().title() + "\": " + nearest);
        return all;
    }
}
