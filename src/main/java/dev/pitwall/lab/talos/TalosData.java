package dev.pitwall.lab.talos;

import com.fasterxml.jackson.core.type.TypeReference;

import dev.pitwall.lab.data.DataFile;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of {@code resources/lab/talos}: releases, extensions, services, modules. */
final class TalosData {
    private static final List<String> TIERS = List.of("lts", "production");

    /**
     * A release of Talos and what belongs to it.
     *
     * @param lts        driver of its lts extensions
     * @param production driver of its production extensions
     */
    record Release(String talos, String kernel, String kubernetes, String containerd, String lts, String production,
                   String toolkit) {
        String driver(String tier) {
            return tier.equals("lts") ? lts : production;
        }

        /** True if this release is the other one or newer. */
        boolean isAtLeast(String other) {
            return Arrays.compare(numbers(talos), numbers(other)) >= 0;
        }

        private static int[] numbers(String version) {
            return Arrays.stream(version.replaceFirst("^v", "").replaceFirst("-.*", "").split("\\."))
                    .mapToInt(Integer::parseInt).toArray();
        }
    }

    /**
     * An extension of one release.
     *
     * @param driver        {@code open} or {@code proprietary} for one with the NVIDIA modules; else empty
     * @param driverVersion of an NVIDIA extension; else empty
     */
    record Extension(String name, String version, String author, String description, String driver,
                     String driverVersion, boolean toolkit, List<String> services) {
        String shortName() {
            return name.substring(name.lastIndexOf('/') + 1);
        }
    }

    private record Known(String name, String version, String author, String description, String driver,
                         boolean toolkit, List<String> services, String since) {
        Known {
            driver = driver == null ? "" : driver;
            services = services == null ? List.of() : services;
            since = since == null ? "v0.0.0" : since;
        }
    }

    /** @param on {@code all} or {@code control-plane} */
    record Service(String id, String on) {
    }

    private final List<Release> releases = rows("releases.csv").map(c -> new Release(c[0], c[1], c[2], c[3], c[4], c[5],
            c[6])).toList();
    private final List<Known> extensions = yaml("extensions.yaml", new TypeReference<>() { });
    private final List<Service> services = yaml("services.yaml", new TypeReference<>() { });
    private final Set<String> modules = lines("modules.txt").collect(Collectors.toUnmodifiableSet());

    /** In ascending order. */
    List<Release> releases() {
        return releases;
    }

    Optional<Release> release(String version) {
        return releases.stream().filter(r -> r.talos().equals(version)).findFirst();
    }

    /** The official extensions of a release. */
    List<Extension> extensions(Release release) {
        return extensions.stream().filter(known -> release.isAtLeast(known.since()))
                .flatMap(known -> known.name().contains("{tier}")
                        ? TIERS.stream().map(tier -> extension(known, release, tier))
                        : Stream.of(extension(known, release, ""))).toList();
    }

    Optional<Extension> extension(Release release, String name) {
        return extensions(release).stream().filter(e -> e.name().equals(name)).findFirst();
    }

    private static Extension extension(Known known, Release release, String tier) {
        String driver = tier.isEmpty() ? "" : release.driver(tier);
        String version = known.version().replace("{driver}", driver).replace("{toolkit}", release.toolkit())
                .replace("{talos}", release.talos());
        return new Extension(known.name().replace("{tier}", tier), version, known.author(), known.description(),
                known.driver(), driver, known.toolkit(), services(known, release));
    }

    /** Since 1.13 the toolkit writes the CDI description itself and keeps the driver loaded (facts: cluster.md 4.2). */
    private static List<String> services(Known known, Release release) {
        return known.toolkit() && release.isAtLeast("v1.13.0")
                ? List.of("ext-nvidia-cdi-gen", "ext-nvidia-persistenced")
                : known.toolkit() ? List.of("ext-nvidia-persistenced") : known.services();
    }

    List<Service> services() {
        return services;
    }

    /** True for a module of Talos's own kernel. */
    boolean hasModule(String name) {
        return modules.contains(name.replace('-', '_'));
    }

    static String text(String name) {
        return DataFile.text("talos/" + name);
    }

    private static Stream<String> lines(String name) {
        return text(name).lines().filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    private static Stream<String[]> rows(String name) {
        return lines(name).skip(1).map(line -> line.split(","));
    }

    private static <T> T yaml(String name, TypeReference<T> type) {
        return DataFile.read("talos/" + name, type);
    }
}
