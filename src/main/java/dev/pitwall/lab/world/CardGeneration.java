package dev.pitwall.lab.world;

import com.fasterxml.jackson.core.type.TypeReference;

import dev.pitwall.lab.data.DataFile;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A generation of cards and the kernel modules that drive it.
 *
 * @param products    a regular expression that its product names contain
 * @param open        {@code no}, {@code yes} or {@code required}: the open kernel modules
 * @param firstBranch the first driver branch that knows it
 * @param lastBranch  the last one; 0 means it is still supported
 */
public record CardGeneration(String name, String products, String open, int firstBranch, int lastBranch) {

    /** How a module and a card go together. */
    public enum Fit { GOOD, NEEDS_OPEN, NEEDS_PROPRIETARY, NEEDS_OLDER, NEEDS_NEWER }

    /** All generations, from {@code lab/card-generations.yaml}. */
    public static List<CardGeneration> all() {
        return DataFile.read("card-generations.yaml", new TypeReference<>() { });
    }

    public boolean includes(String product) {
        return Pattern.compile(products).matcher(product).find();
    }

    /** @param branch for example 580 */
    public Fit fit(int branch, boolean openModule) {
        if (lastBranch > 0 && branch > lastBranch) {
            return Fit.NEEDS_OLDER;
        }
        if (branch < firstBranch) {
            return Fit.NEEDS_NEWER;
        }
        return switch (open) {
            case "required" -> openModule ? Fit.GOOD : Fit.NEEDS_OPEN;
            case "no" -> openModule ? Fit.NEEDS_PROPRIETARY : Fit.GOOD;
            default -> Fit.GOOD;
        };
    }
}
