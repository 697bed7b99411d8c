package dev.pitwall.journey.node;

import java.util.EnumSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A generation of cards and the drivers that know it (facts: cluster.md 6, {@code gpu-generation-support.csv}).
 *
 * @param name        for example {@code Ampere}
 * @param open        whether open kernel modules drive it
 * @param proprietary whether proprietary ones do
 * @param firstBranch the first driver branch that knows it; empty where every branch of today does
 * @param lastBranch  the last one; empty while new branches still know it
 * @param proprietaryEnds the first branch that has no proprietary modules any more; empty where that is not announced
 */
public record Generation(String name, boolean open, boolean proprietary, OptionalInt firstBranch,
                         OptionalInt lastBranch, OptionalInt proprietaryEnds) {
    private static final Pattern BRANCH = Pattern.compile("\\d{3}");

    static Generation of(Map<String, String> row) {
        String proprietary = row.get("proprietary_modules");
        String last = row.get("last_driver_branch");
        return new Generation(row.get("generation"), !row.get("open_kernel_modules").startsWith("no"),
                proprietary.startsWith("yes"), last.startsWith("current") ? branch(last) : OptionalInt.empty(),
                last.startsWith("current") ? OptionalInt.empty() : branch(last), branch(proprietary));
    }

    private static OptionalInt branch(String text) {
        Matcher m = BRANCH.matcher(text);
        return m.find() ? OptionalInt.of(Integer.parseInt(m.group())) : OptionalInt.empty();
    }

    /** True if the branch knows these cards at all, with one type of modules or the other. */
    public boolean knownBy(int branch) {
        return branch >= firstBranch.orElse(0) && branch <= lastBranch.orElse(Integer.MAX_VALUE)
                && !types(branch).isEmpty();
    }

    /** The types of modules that drive these cards in a branch. */
    public Set<ModuleType> types(int branch) {
        Set<ModuleType> types = EnumSet.noneOf(ModuleType.class);
        if (open) {
            types.add(ModuleType.OPEN);
        }
        if (proprietary && branch < proprietaryEnds.orElse(Integer.MAX_VALUE)) {
            types.add(ModuleType.PROPRIETARY);
        }
        return types;
    }
}
