package dev.pitwall.journey.talos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** NVIDIA extensions of one release that drive all cards of a node. */
public record Fit(Release release, ModuleKind kind, Tier tier) {

    /**
     * All that fit, the best first: open modules before proprietary ones, which NVIDIA ends (facts: cluster.md 6), and of
     * those the newest driver.
     *
     * @param cards the generations that have to be driven; one that is not known is left to the person
     */
    static List<Fit> of(Release release, Collection<Generation> cards) {
        List<Fit> fits = new ArrayList<>();
        for (Tier tier : Tier.values()) {
            for (ModuleKind kind : ModuleKind.values()) {
                if (cards.stream().allMatch(card -> card.takes(kind, release.branch(tier)))) {
                    fits.add(new Fit(release, kind, tier));
                }
            }
        }
        fits.sort(Comparator.comparing((Fit fit) -> fit.kind == ModuleKind.OPEN ? 0 : 1)
                .thenComparing(fit -> -release.branch(fit.tier)));
        return List.copyOf(fits);
    }

    /** The one whose modules the image has already. */
    static Optional<Fit> installed(List<Fit> fits, Collection<String> extensions) {
        return fits.stream().filter(fit -> extensions.contains(fit.modules())).findFirst();
    }

    public String modules() {
        return release.modules(kind, tier);
    }

    public String toolkit() {
        return release.toolkit(tier);
    }

    public String driver() {
        return release.driver(tier);
    }

    /**
     * The extensions of a node that is to have these: its own without the NVIDIA ones of another tier or kind, and
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
            if (name.equals(release.toolkit(other)) || name.equals(release.modules(ModuleKind.OPEN, other))
                    || name.equals(release.modules(ModuleKind.PROPRIETARY, other))) {
                return true;
            }
        }
        return false;
    }
}
