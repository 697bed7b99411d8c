package dev.pitwall.journey.host;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The first two numbers of {@code uname -r}; {@code 0.0} where it does not begin with them. */
record KernelRelease(int major, int minor) implements Comparable<KernelRelease> {
    /** Proxmox's kernels turn Intel's IOMMU on by themselves from here (facts: proxmox.md 1.14). */
    static final KernelRelease INTEL_ON_BY_DEFAULT = new KernelRelease(6, 8);
    /** {@code vfio_virqfd} is a part of {@code vfio} from here (facts: proxmox.md 1.14). */
    static final KernelRelease VIRQFD_BUILT_IN = new KernelRelease(6, 2);

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,3})\\.(\\d{1,3}).*");

    static KernelRelease of(String uname) {
        Matcher m = NUMBERS.matcher(uname);
        return m.matches() ? new KernelRelease(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)))
                : new KernelRelease(0, 0);
    }

    boolean before(KernelRelease other) {
        return compareTo(other) < 0;
    }

    @Override
    public int compareTo(KernelRelease other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
