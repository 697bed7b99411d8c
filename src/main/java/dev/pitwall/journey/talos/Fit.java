package dev.pitwall.journey.talos;

import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.node.DriverFit;
import dev.pitwall.journey.node.ModuleType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** NVIDIA extensions of one release that drive all cards of a node. */
public record Fit(Release release, ModuleType type, Tier tier) {
    /** NVIDIA asks for open modules there, as for all Blackwell; Talos's page for the proprietary ones (facts: cluster.md 4.1). */
    private static final Pattern SPARK = Pattern.compile("\\bGB10\\b");

    /**
     * All that fit, the best first: open modules before proprietary ones, which NVIDIA ends (facts: cluster.md 6), and of
     * those the newest driver.
     *
     * @param cards a card that no table knows is left to the person
     */
    static List<Fit> of(Release release, Collection<PciFunction> cards, DriverFit drivers) {
        boolean spark = cards.stream().flatMap(card -> card.name().stream()).anyMatch(name -> SPARK.matcher(name).find());
        List<Fit> fits = new ArrayList<>();
        for (Tier tier : Tier.values()) {
            Set<ModuleType> types = drivers.types(release.branch(tier));
            (spark && !types.isEmpty() ? EnumSet.of(ModuleType.PROPRIETARY) : types)
                    .forEach(type -> fits.add(new Fit(release, type, tier)));
        }
        fits.sort(Comparator.comparing(Fit::type).thenComparing(fit -> -release.branch(fit.tier)));
        return List.copyOf(fits);
    }

    /** The one whose modules the image has already. */
    static Optional<Fit> installed(List<Fit> fits, Collection<String> extensions) {
        return fits.stream().filter(fit -> extensions.contains(fit.modules())).findFirst();
    }

    public String modules() {
        return release.modules(type, tier);
    }

    public String toolkit() {
        return release.toolkit(tier);
    }

    public String driver() {
        return release.driver(tier);
    }

    /** As it is chosen, for example {@code production}. */
    String choice() {
        return tier.word();
    }

    /**
     * The extensions of a node that is to have these: its own without the NVIDIA ones of another tier or type, and
     * these two. A fabric manager goes over to the same tier.
     */
    List<String> over(Collection<String> present) {
        List<String> names = new ArrayList<>();
        for (String name : present) {
            if (isFabricManager(name)) {
                names.add(release.fabricManager(tier));
            } else if (!isDriver(name)) {
                names.add(name);
            }
        }
        names.add(modules());
        names.add(toolkit());
        return names.stream().distinct().sorted().toList();
    }

    private boolean isFabricManager(String name) {
        return name.equals(release.fabricManager(Tier.LTS)) || name.equals(release.fabricManager(Tier.PRODUCTION));
    }

    /** True for kernel modules and toolkits of NVIDIA, of whatever tier. */
    private boolean isDriver(String name) {
        for (Tier other : Tier.values()) {
            if (name.equals(release.toolkit(other)) || name.equals(release.modules(ModuleType.OPEN, other))
                    || name.equals(release.modules(ModuleType.PROPRIETARY, other))) {
                return true;
            }
        }
        return false;
    }
}
