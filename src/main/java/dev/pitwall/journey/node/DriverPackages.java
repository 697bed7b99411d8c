package dev.pitwall.journey.node;

import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.survey.NodeWishes;
import dev.pitwall.journey.survey.ShellNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The packages that bring driver and toolkit, by distribution, from {@code journey/node-packages.yaml}. */
public final class DriverPackages implements NodeWishes {
    private static final String OPTIONAL = "?";
    private static final String CUDA = "cuda";

    private final Data data = NodeData.read("node-packages.yaml", Data.class);
    private final Pattern driver = Pattern.compile(data.driver());
    private final Pattern modules = Pattern.compile(data.modules());

    private record Data(Map<String, List<String>> families, List<Integer> branches, List<Way> ways,
                        Map<String, PackageSource> sources, List<String> toolkit, String driver, String modules,
                        List<String> asked) {
    }

    /**
     * A way to the driver.
     *
     * @param build    who builds the kernel modules
     * @param branchOf the package whose version tells the branch; absent where names have it
     * @param source   the package source beside the distribution's own; absent for none
     * @param from     the first branch of it; absent for any
     * @param until    the last major release of the distribution; absent for any
     */
    private record Way(String family, Build build, ModuleType type, String branchOf, String source, Integer from,
                       Integer until, List<String> packages) {
    }

    /** Who builds the kernel modules. */
    public enum Build {
        /** The distribution, which signs them too: Secure Boot takes them. */
        SIGNED,
        /** The node itself, for each of its kernels; their key is the owner's. */
        DKMS
    }

    /**
     * A driver that the node could have.
     *
     * @param packages by name the version that is wanted, as {@link PackageChange#after} has it
     * @param source   the package source that has to be there first; empty where it is
     */
    public record Offer(int branch, ModuleType type, Build build, SortedMap<String, String> packages,
                        Optional<PackageSource> source) {
    }

    /** {@code ubuntu}, {@code debian}, {@code rhel}; empty for a distribution that the table does not know. */
    public Optional<String> family(Map<String, String> release) {
        List<String> ids = Stream.concat(Stream.of(release.getOrDefault("ID", "")),
                Arrays.stream(release.getOrDefault("ID_LIKE", "").split(" "))).toList();
        return ids.stream().flatMap(id -> data.families().entrySet().stream().filter(f -> f.getValue().contains(id))
                .map(Map.Entry::getKey)).findFirst();
    }

    /** What the sources of a node offer for its cards, the best first: the newest branch, signed modules, open ones. */
    public List<Offer> offers(ShellNode node, DriverFit fit, DriverReleases releases) {
        String family = family(node.release()).orElse("");
        List<Offer> offers = new ArrayList<>();
        for (Way way : data.ways()) {
            if (way.family().equals(family) && applies(way, node)) {
                branches(way, node, releases).filter(b -> fit.types(b).contains(way.type()))
                        .mapToObj(b -> offer(way, node, b)).flatMap(Optional::stream).forEach(offers::add);
            }
        }
        // Of the distribution's own sources before NVIDIA's; the sort is stable, so the table's order decides the rest.
        offers.sort(Comparator.comparing((Offer o) -> own(o) ? 0 : 1).thenComparing(o -> -o.branch())
                .thenComparing(o -> fit.type(o.branch()).filter(o.type()::equals).isPresent() ? 0 : 1)
                .thenComparing(Offer::build));
        return offers;
    }

    private static boolean own(Offer offer) {
        return offer.packages().keySet().stream().noneMatch(n -> n.startsWith("nvidia-driver-pinning"))
                && offer.source().isEmpty();
    }

    private static boolean applies(Way way, ShellNode node) {
        String major = node.release().getOrDefault("VERSION_ID", "").replaceFirst("\\..*", "");
        return way.until() == null || major.matches("\\d+") && Integer.parseInt(major) <= way.until();
    }

    private IntStream branches(Way way, ShellNode node, DriverReleases releases) {
        if (way.branchOf() != null) {
            return Optional.ofNullable(node.software().offered().getOrDefault(way.branchOf(),
                    node.software().installed().get(way.branchOf()))).map(DriverFit::branch).stream()
                    .flatMapToInt(OptionalInt::stream);
        }
        return (way.source() == null ? data.branches().stream().mapToInt(b -> b) : releases.liveBranches())
                .filter(b -> way.from() == null || b >= way.from());
    }

    /** All of its packages are offered, or will be once the source is there. */
    private Optional<Offer> offer(Way way, ShellNode node, int branch) {
        SortedMap<String, String> packages = new TreeMap<>();
        Optional<PackageSource> source = Optional.ofNullable(way.source()).map(data.sources()::get)
                .filter(s -> !node.software().offers(s.offers()));
        for (String name : way.packages()) {
            boolean optional = name.endsWith(OPTIONAL);
            String[] wanted = filled(optional ? name.substring(0, name.length() - 1) : name, node, branch).split("=", 2);
            boolean offered = node.software().offers(wanted[0]) || wanted[0].startsWith("@");
            if (offered || !optional && source.isPresent() && !wanted[0].startsWith("linux-headers")) {
                packages.put(wanted[0], wanted.length == 2 ? wanted[1] : PackageChange.OFFERED);
            } else if (!optional) {
                return Optional.empty();
            }
        }
        return Optional.of(new Offer(branch, way.type(), way.build(), packages, source));
    }

    private String filled(String name, ShellNode node, int branch) {
        return name.replace("{branch}", Integer.toString(branch)).replace("{flavour}", flavour(node))
                .replace("{kernelVersion}", node.kernel().replaceFirst("\\.(x86_64|aarch64)$", ""))
                .replace("{kernel}", node.kernel());
    }

    /** Of the kernel's meta package: {@code generic}, {@code generic-hwe-24.04}. */
    private static String flavour(ShellNode node) {
        String plain = node.kernel().replaceFirst("^[\\d.]+-\\d+-", "");
        String hwe = plain + "-hwe-" + node.release().getOrDefault("VERSION_ID", "");
        return node.software().has("linux-image-" + hwe) ? hwe : plain;
    }

    /** Packages of the driver that the operating system has. */
    public List<String> installed(ShellNode node) {
        return node.software().installed().keySet().stream().filter(n -> driver.matcher(n).matches()).toList();
    }

    /** True if one of them brings kernel modules. */
    public boolean hasModules(ShellNode node) {
        return node.software().installed().keySet().stream().anyMatch(n -> modules.matcher(n).matches());
    }

    /** The packages of the container toolkit, all of one version. */
    public List<String> toolkit() {
        return data.toolkit();
    }

    /** Where the container toolkit comes from; empty where the node's sources offer it already. */
    public Optional<PackageSource> toolkitSource(ShellNode node) {
        return Optional.of(data.sources().get("toolkit")).filter(s -> !node.software().offers(s.offers()));
    }

    @Override
    public List<String> packages(Map<String, String> release, String kernel) {
        Set<String> names = new LinkedHashSet<>(data.asked());
        names.addAll(data.toolkit());
        String family = family(release).orElse("");
        String version = release.getOrDefault("VERSION_ID", "");
        String flavour = kernel.replaceFirst("^[\\d.]+-\\d+-", "");
        for (Way way : data.ways().stream().filter(w -> w.family().equals(family)).toList()) {
            for (String name : way.packages()) {
                for (int branch : data.branches()) {
                    String plain = name.replaceAll("[?]$|=.*$", "").replace("{branch}", Integer.toString(branch))
                            .replace("{kernel}", kernel);
                    if (!plain.startsWith("@")) {
                        names.add(plain.replace("{flavour}", flavour));
                        names.add(plain.replace("{flavour}", flavour + "-hwe-" + version));
                    }
                }
            }
        }
        return List.copyOf(names);
    }

    @Override
    public Map<String, String> keys(Map<String, String> release) {
        boolean archive = family(release).filter("ubuntu"::equals).isPresent();
        return data.sources().entrySet().stream().filter(s -> s.getValue().apt() != null)
                // Ubuntu's own archive has every branch, so its nodes need no other source for a driver.
                .filter(s -> !archive || !s.getKey().equals(CUDA))
                .collect(Collectors.toMap(s -> s.getValue().offers(), s -> s.getValue().keyAddress(release)));
    }

    @Override
    public List<String> files() {
        return Stream.concat(ContainerdHandler.files().stream(),
                data.sources().values().stream().flatMap(s -> s.paths().stream())).toList();
    }
}
