package dev.pitwall.journey.node;

import dev.pitwall.card.PciFunction;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which drivers go with the cards of one node, or of all nodes that one driver is for: a branch must know each of them,
 * and one type of kernel modules must drive all.
 *
 * @param generations those of the cards, each once; of cards that the tables do not know there is none
 * @param unknown     cards that the tables do not know: nothing can be said against any driver for them
 */
public record DriverFit(List<Generation> generations, List<PciFunction> unknown) {

    public DriverFit {
        generations = List.copyOf(generations);
        unknown = List.copyOf(unknown);
    }

    /**
     * Of NVIDIA's display devices among the functions; what else is there does not count.
     *
     * @param functions as a host, a guest or a node lists them
     */
    public static DriverFit of(Collection<PciFunction> functions, Generations generations) {
        List<PciFunction> cards = functions.stream().filter(PciFunction::isNvidiaGpu).toList();
        return new DriverFit(cards.stream().flatMap(c -> generations.of(c).stream()).distinct().toList(),
                cards.stream().filter(c -> generations.of(c).isEmpty()).toList());
    }

    /** The types of modules of a branch that drive all cards; empty if none does. */
    public Set<ModuleType> types(int branch) {
        Set<ModuleType> types = EnumSet.allOf(ModuleType.class);
        generations.forEach(g -> types.retainAll(g.knownBy(branch) ? g.types(branch) : Set.of()));
        return types;
    }

    public boolean takes(int branch) {
        return !types(branch).isEmpty();
    }

    /** The type to take of a branch: open modules wherever they drive the cards; empty if the branch drives them not. */
    public Optional<ModuleType> type(int branch) {
        Set<ModuleType> types = types(branch);
        return types.contains(ModuleType.OPEN) ? Optional.of(ModuleType.OPEN) : types.stream().findFirst();
    }

    /** The last branch that knows all cards; empty while new branches do. */
    public OptionalInt lastBranch() {
        return generations.stream().flatMapToInt(g -> g.lastBranch().stream()).min();
    }

    /** The first branch that knows all cards; empty where every branch of today does. */
    public OptionalInt firstBranch() {
        return generations.stream().flatMapToInt(g -> g.firstBranch().stream()).max();
    }

    /** Which generations a branch does not drive, so that it can be told which card is left out. */
    public List<String> leftOutBy(int branch) {
        return generations.stream().filter(g -> !g.knownBy(branch)).map(Generation::name).toList();
    }

    /** For example {@code Pascal, Ampere}. */
    public String names() {
        return generations.stream().map(Generation::name).collect(Collectors.joining(", "));
    }

    /** The branch of a release: {@code 580} of {@code 580.95.05}; empty for what is no release. */
    public static OptionalInt branch(String version) {
        String first = version.replaceFirst("[.-].*", "");
        return first.matches("\\d{3}") ? OptionalInt.of(Integer.parseInt(first)) : OptionalInt.empty();
    }
}
