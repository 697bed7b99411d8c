package dev.pitwall.journey.talos;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of Talos as far as behaviour depends on it; a pre-release counts as its release. */
public record TalosVersion(int major, int minor, int patch) implements Comparable<TalosVersion> {
    private static final Pattern FORM = Pattern.compile("v?(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})(?:[-+].*)?");
    private static final Comparator<TalosVersion> ORDER = Comparator.comparingInt(TalosVersion::major)
            .thenComparingInt(TalosVersion::minor).thenComparingInt(TalosVersion::patch);

    /** @param text for example {@code v1.13.2}; empty if it is no version */
    public static Optional<TalosVersion> of(String text) {
        Matcher m = FORM.matcher(text.strip());
        return m.matches() ? Optional.of(new TalosVersion(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)),
                Integer.parseInt(m.group(3)))) : Optional.empty();
    }

    /** True for this minor release and all later ones. */
    public boolean isFrom(int wantedMajor, int wantedMinor) {
        return major > wantedMajor || major == wantedMajor && minor >= wantedMinor;
    }

    @Override
    public int compareTo(TalosVersion other) {
        return ORDER.compare(this, other);
    }

    /** Without the patch, for example {@code 1.13}. */
    public String line() {
        return major + "." + minor;
    }
}
