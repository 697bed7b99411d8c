package dev.pitwall.journey.proof;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A release of CUDA. */
record Cuda(int major, int minor) implements Comparable<Cuda> {
    private static final Pattern VERSION = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})(?:\\.\\d+)*");
    private static final Pattern TAG = Pattern.compile("(?:^|[:-])(?:cuda)?(\\d{1,3})\\.(\\d{1,3})(?:\\.\\d+)?(?:-|$)");
    private static final Comparator<Cuda> ORDER = Comparator.comparingInt(Cuda::major).thenComparingInt(Cuda::minor);

    static Optional<Cuda> parse(String text) {
        return of(VERSION.matcher(text), true);
    }

    /** That with which an image was built, as its tag says it; empty if the tag does not say. */
    static Optional<Cuda> ofImage(String image) {
        int colon = image.indexOf(':', image.lastIndexOf('/') + 1);
        return colon < 0 || !image.contains("cuda") ? Optional.empty()
                : of(TAG.matcher(image.substring(colon).replaceFirst("@.*", "")), false);
    }

    private static Optional<Cuda> of(Matcher matcher, boolean whole) {
        return (whole ? matcher.matches() : matcher.find())
                ? Optional.of(new Cuda(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    @Override
    public int compareTo(Cuda other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
