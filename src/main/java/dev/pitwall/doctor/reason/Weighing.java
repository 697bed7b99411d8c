package dev.pitwall.doctor.reason;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.catalogue.Trap.Against;
import dev.pitwall.doctor.catalogue.Trap.Clause;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.SignBook;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How far signs speak for one cause. Clauses that hold are taken as independent: the chance that all of them mislead is the
 * product of the chances that each does (noisy or); what speaks against the cause takes its share of the rest.
 *
 * @param support    0 to 1 by what speaks for it alone
 * @param confidence 0 to 1
 * @param signs      what speaks for it, the strongest clause first
 * @param against    what speaks against it and holds
 */
record Weighing(Trap trap, double support, double confidence, List<Sign> signs, List<Against> against) {

    private record Held(Clause clause, List<Sign> signs) {
    }

    /** Weighs a cause by the signs of one node, or of a whole text. */
    static Weighing of(Trap trap, SignBook book) {
        List<Held> held = trap.proofs().stream().map(clause -> new Held(clause, held(clause, book)))
                .filter(h -> !h.signs().isEmpty())
                .sorted(Comparator.comparingDouble((Held h) -> h.clause().weight()).reversed()).toList();
        double doubt = 1;
        // Clauses that rest on the very same signs say the same thing twice; only the strongest of them counts.
        Set<Set<Sign>> counted = new HashSet<>();
        for (Held h : held) {
            if (counted.add(Set.copyOf(h.signs()))) {
                doubt *= 1 - h.clause().weight();
            }
        }
        List<Against> against = held.isEmpty() ? List.of()
                : trap.against().stream().filter(a -> a.any().stream().anyMatch(book::has)).toList();
        double rest = against.stream().mapToDouble(a -> 1 - a.weight()).reduce(1, (x, y) -> x * y);
        Set<Sign> signs = new LinkedHashSet<>();
        held.forEach(h -> signs.addAll(h.signs()));
        return new Weighing(trap, 1 - doubt, (1 - doubt) * rest, new ArrayList<>(signs), against);
    }

    /** The signs that make a clause hold; empty if it does not. */
    private static List<Sign> held(Clause clause, SignBook book) {
        if (clause.none().stream().anyMatch(book::has)) {
            return List.of();
        }
        List<List<Sign>> all = new ArrayList<>();
        clause.all().forEach(ref -> all.add(book.find(ref)));
        if (!clause.any().isEmpty()) {
            all.add(clause.any().stream().flatMap((SignRef ref) -> book.find(ref).stream()).distinct().toList());
        }
        if (all.stream().anyMatch(List::isEmpty)) {
            return List.of();
        }
        return switch (clause.same()) {
            case ANYTHING -> all.stream().flatMap(List::stream).distinct().toList();
            case DOCUMENT -> together(all, sign -> sign.line().map(line -> line.from()).orElse(""));
            case COMPONENT -> together(all, sign -> sign.about().component());
            case POD -> together(all, sign -> sign.about().pod());
        };
    }

    /** Signs of every list that share something. */
    private static List<Sign> together(List<List<Sign>> all, Function<Sign, String> what) {
        Set<String> shared = new LinkedHashSet<>(all.getFirst().stream().map(what).toList());
        all.forEach(list -> shared.retainAll(list.stream().map(what).collect(Collectors.toSet())));
        return all.stream().flatMap(List::stream).filter(sign -> shared.contains(what.apply(sign))).distinct().toList();
    }
}
