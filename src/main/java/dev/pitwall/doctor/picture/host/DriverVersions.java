package dev.pitwall.doctor.picture.host;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.SignBook;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Whether the driver's user space and module are of one release, and the module is for the kernel that runs. */
public final class DriverVersions implements Check {
    /** uname has it in the version, lists of packages have it in the name. */
    private static final Pattern ARCHITECTURE = Pattern.compile("\\.(?:x86_64|aarch64)$");

    @Override
    public void look(Picture picture, SignBook book) {
        compare(book, "driver-library-version", "driver-module-version", "versions-differ", "user space is %s, the module %s");
        compare(book, "kernel-of-module", "kernel-running", "module-kernel-differs",
                "the module is for kernel %s, and %s runs");
        compare(book, "kernel-of-headers", "kernel-running", "headers-of-other-kernel",
                "headers are there for kernel %s, and %s runs");
    }

    private static void compare(SignBook book, String left, String right, String sign, String says) {
        List<Sign> ones = book.find(SignRef.of(left));
        Set<String> one = versions(ones);
        List<Sign> others = book.find(SignRef.of(right));
        Set<String> other = versions(others);
        // Several of a kind come from several machines or several tries; then nothing can be said.
        if (one.size() == 1 && other.size() == 1 && !one.equals(other)) {
            new Remark(sign, says.formatted(one.iterator().next(), other.iterator().next()),
                    Map.of("left", one.iterator().next(), "right", other.iterator().next())).beside(book, ones.getFirst(), others.getFirst());
        }
    }

    private static Set<String> versions(List<Sign> signs) {
        return signs.stream().map(s -> s.values().getOrDefault("version", "")).filter(v -> !v.isEmpty())
                .map(v -> ARCHITECTURE.matcher(v).replaceFirst(""))
                .collect(Collectors.toSet());
    }
}
