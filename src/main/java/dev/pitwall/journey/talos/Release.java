package dev.pitwall.journey.talos;

import dev.pitwall.journey.node.ModuleType;
import java.util.List;
import java.util.Optional;

/**
 * A release of Talos and its NVIDIA extensions (facts: cluster.md 4.1).
 *
 * @param talos      for example {@code v1.13.9}
 * @param lts        driver of its lts extensions
 * @param production driver of its production extensions
 * @param toolkit    version of its container toolkit
 */
public record Release(String talos, String lts, String production, String toolkit, Names names) {
    private static final List<Release> ALL = TalosData.rows("releases.csv").stream().map(c -> new Release(c[0], c[2],
            c[3], c[4], new Names(c[5], c[6], c[7], c[8]))).toList();
    private static final String HOLE = "{lts|production}";

    /** Names of its extensions, with a hole for the tier. */
    public record Names(String open, String proprietary, String toolkit, String fabricManager) {
    }

    /** @return empty for a release that this version of Pitwall does not know */
    public static Optional<Release> of(String version) {
        return ALL.stream().filter(release -> release.talos.equals(version)).findFirst();
    }

    /** In ascending order. */
    static List<Release> all() {
        return ALL;
    }

    /** The newest that is known, for sentences. */
    public static String newest() {
        return ALL.getLast().talos;
    }

    public String driver(Tier tier) {
        return tier == Tier.LTS ? lts : production;
    }

    /** For example 580. */
    public int branch(Tier tier) {
        return Integer.parseInt(driver(tier).replaceFirst("\\..*", ""));
    }

    public String modules(ModuleType kind, Tier tier) {
        return named(kind == ModuleType.OPEN ? names.open : names.proprietary, tier);
    }

    public String toolkit(Tier tier) {
        return named(names.toolkit, tier);
    }

    public String fabricManager(Tier tier) {
        return named(names.fabricManager, tier);
    }

    private static String named(String template, Tier tier) {
        return template.replace(HOLE, tier.word());
    }
}
