package dev.pitwall.doctor.reason;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Diagnosis.Waiting;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.diagnosis.Finding.Proof;
import dev.pitwall.doctor.diagnosis.Finding.Role;
import dev.pitwall.doctor.diagnosis.Finding.RuledOut;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.catalogue.Trap.Kind;
import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Complaint;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.SignBook;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Turns signs into findings. Each node is judged by its own signs and those that are about no node; a cause that is found
 * on several nodes is one finding.
 *
 * <p>Causes that are certain come from the driver up, since a lower one explains more; causes that are only likely follow,
 * the likeliest first. What another cause explains is not told beside it.
 */
public final class Reasoner {
    /** Below this a cause is not worth a look. */
    static final double LIKELY = 0.3;
    private static final int MOST_LIKELY = 4;
    private static final int MOST_UNNAMED = 3;
    private static final SignRef UNNAMED = SignRef.of("trouble-unnamed");
    private static final SignRef WORKS = SignRef.of("nothing-amiss");
    private static final int MOST_LINES = 8;
    private final TrapCatalogue catalogue;

    public Reasoner(TrapCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** A cause on some nodes, before it is put into words. */
    private static final class Suspect {
        private final Trap trap;
        private final List<String> nodes = new ArrayList<>();
        private final List<String> explained = new ArrayList<>();
        private Weighing weighing;

        Suspect(Weighing weighing) {
            this.trap = weighing.trap();
            this.weighing = weighing;
        }

        void on(String node, Weighing other) {
            if (!node.isEmpty()) {
                nodes.add(node);
            }
            weighing = other.confidence() > weighing.confidence() ? other : weighing;
        }

        double confidence() {
            return weighing.confidence();
        }

        boolean meets(Suspect other, Kinship kinship) {
            return nodes.isEmpty() || other.nodes.isEmpty()
                    || nodes.stream().anyMatch(one -> other.nodes.stream().anyMatch(two -> kinship.share(one, two)));
        }
    }

    /** @param unseen what could not be looked at, one sentence each */
    public Diagnosis reason(SignBook book, List<String> unseen, Diagnosis.Looked looked) {
        List<Weighing> against = new ArrayList<>();
        List<Suspect> suspects = suspects(book, against);
        fold(suspects, Kinship.of(book));
        List<RuledOut> ruledOut = against.stream().flatMap(Reasoner::reasons).distinct().toList();
        List<Finding> faults = ordered(of(suspects, Kind.FAULT, ruledOut));
        List<Finding> waits = of(suspects, Kind.WAITING, ruledOut);
        return new Diagnosis(faults, of(suspects, Kind.ADVICE, List.of()),
                waits.stream().map(wait -> waiting(wait, book)).toList(), of(suspects, Kind.HARMLESS, List.of()),
                next(faults, suspects, book), unseen, looked);
    }

    private List<Suspect> suspects(SignBook book, List<Weighing> ruledOut) {
        Map<String, Suspect> suspects = new LinkedHashMap<>();
        List<String> groups = new ArrayList<>(book.nodes());
        if (groups.isEmpty()) {
            groups.add("");
        }
        for (String node : groups) {
            SignBook part = node.isEmpty() ? book : book.of(node);
            for (Trap trap : catalogue.all()) {
                Weighing weighing = Weighing.of(trap, part);
                if (weighing.confidence() >= LIKELY) {
                    boolean own = weighing.signs().stream().anyMatch(s -> !s.about().node().isEmpty());
                    suspects.computeIfAbsent(trap.name(), name -> new Suspect(weighing)).on(own ? node : "", weighing);
                } else if (weighing.support() >= LIKELY) {
                    ruledOut.add(weighing);
                }
            }
        }
        return new ArrayList<>(suspects.values());
    }

    /** A cause takes those with it that it explains, unless it is much less sure than they are. */
    private static void fold(List<Suspect> suspects, Kinship kinship) {
        List<Suspect> byTrust = new ArrayList<>(suspects);
        byTrust.sort(Comparator.comparing((Suspect s) -> s.trap.floor()).thenComparing(s -> -s.confidence()));
        for (Suspect root : byTrust) {
            if (!suspects.contains(root)) {
                continue;
            }
            List<Suspect> gone = suspects.stream().filter(s -> s != root && root.trap.explains().contains(s.trap.name())
                    && root.meets(s, kinship) && takes(root, s)).toList();
            gone.forEach(s -> {
                root.explained.add(s.trap.name());
                root.explained.addAll(s.explained);
            });
            suspects.removeAll(gone);
        }
    }

    /**
     * A certain cause takes what is not much surer than it, and so does a likely one that more speaks for. Any other likely one
     * takes no likelier one, nor one that the very same signs leave open: those are rivals and no consequence of each other.
     */
    private static boolean takes(Suspect root, Suspect other) {
        Set<Sign> own = Set.copyOf(root.weighing.signs());
        Set<Sign> others = Set.copyOf(other.weighing.signs());
        boolean certain = root.confidence() >= Finding.CERTAIN;
        if (!certain && own.equals(others)) {
            return false;
        }
        return root.confidence() >= (certain || own.containsAll(others) ? 0.7 : 1) * other.confidence();
    }

    private static Stream<RuledOut> reasons(Weighing weighing) {
        return weighing.against().stream().map(a -> new RuledOut(weighing.trap().name(),
                Filled.in(a.because(), weighing.signs())));
    }

    private static List<Finding> of(List<Suspect> suspects, Kind kind, List<RuledOut> ruledOut) {
        return suspects.stream().filter(s -> s.trap.kind() == kind).map(s -> finding(s, ruledOut)).toList();
    }

    private static Finding finding(Suspect suspect, List<RuledOut> ruledOut) {
        List<Sign> signs = suspect.weighing.signs();
        List<String> cards = new ArrayList<>(new TreeSet<>(signs.stream().map(s -> s.about().card())
                .filter(card -> !card.isEmpty()).toList()));
        List<RuledOut> others = ruledOut.stream().filter(r -> !r.trap().equals(suspect.trap.name())).toList();
        return new Finding(suspect.trap, Math.round(suspect.confidence() * 100) / 100.0,
                Filled.in(suspect.trap.says(), signs), suspect.nodes, cards, proofs(signs), suspect.explained, others);
    }

    private static List<Proof> proofs(List<Sign> signs) {
        List<Proof> proofs = new ArrayList<>();
        Set<String> shown = new HashSet<>();
        for (Sign sign : signs) {
            // One line may be several signs; it is shown once.
            boolean first = sign.line().map(line -> shown.add(place(line) + line.text())).orElse(true);
            if (first && proofs.size() < MOST_LINES) {
                proofs.add(new Proof(proofs.isEmpty() || sign.id().equals(signs.getFirst().id()) ? Role.DECIDES
                        : Role.SYMPTOM, sign.values().getOrDefault("says", ""), sign.line(), sign.sides()));
            }
        }
        return proofs;
    }

    private static List<Finding> ordered(List<Finding> faults) {
        List<Finding> certain = faults.stream().filter(Finding::certain)
                .sorted(Comparator.comparing((Finding f) -> f.trap().floor()).thenComparing(f -> -f.confidence())).toList();
        List<Finding> likely = faults.stream().filter(f -> !f.certain())
                .sorted(Comparator.comparing((Finding f) -> -f.confidence())).limit(MOST_LIKELY).toList();
        return Stream.concat(certain.stream(), likely.stream()).toList();
    }

    private static Waiting waiting(Finding wait, SignBook book) {
        Optional<Instant> since = book.all().stream().map(s -> Optional.ofNullable(s.values().get("since")))
                .flatMap(Optional::stream).map(Reasoner::instant).flatMap(Optional::stream).min(Comparator.naturalOrder());
        return new Waiting(wait, wait.trap().normal().orElse(Duration.ZERO), since);
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Where something points to a cause, what would settle it; where nothing tells of a card at all, where to begin. */
    private List<String> next(List<Finding> faults, List<Suspect> suspects, SignBook book) {
        if (faults.stream().anyMatch(Finding::certain)) {
            return List.of();
        }
        List<String> unnamed = faults.isEmpty() ? unnamed(book, suspects) : List.of();
        if (book.all().isEmpty() || !unnamed.isEmpty()) {
            return Stream.concat(unnamed.stream(), catalogue.beginnings().stream()).toList();
        }
        return suspects.stream().filter(s -> s.trap.kind() == Kind.FAULT)
                .sorted(Comparator.comparing(s -> -s.confidence())).map(s -> s.trap.next())
                .filter(text -> !text.isEmpty()).distinct().limit(3).toList();
    }

    /**
     * Lines that sound like trouble and that lead to no cause: this is no good health. A line that a wait or something
     * harmless is told by is no trouble, and where things are seen to work a line of trouble is of another time.
     */
    private static List<String> unnamed(SignBook book, List<Suspect> suspects) {
        boolean works = book.has(WORKS);
        Set<String> told = Stream.concat(suspects.stream().flatMap(suspect -> suspect.weighing.signs().stream()),
                        book.all().stream().filter(sign -> works && !sign.id().equals(UNNAMED.id())))
                .flatMap(sign -> sign.line().stream()).map(Reasoner::place).collect(Collectors.toSet());
        return book.all().stream().filter(sign -> sign.id().equals(UNNAMED.id())
                        || sign.line().filter(line -> Complaint.isIn(line.text())).isPresent())
                .flatMap(sign -> sign.line().stream()).filter(line -> !told.contains(place(line)))
                .map(line -> "No cause can be told from this line alone: " + place(line) + ": " + line.text().strip())
                .distinct().limit(MOST_UNNAMED).toList();
    }

    private static String place(Cited line) {
        return line.from() + (line.number() > 0 ? ":" + line.number() : "");
    }
}
