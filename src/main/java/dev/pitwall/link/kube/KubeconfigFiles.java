package dev.pitwall.link.kube;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.KubeconfigCatalog;

/** Looks for kubeconfigs where kubectl and the common distributions keep them. */
public final class KubeconfigFiles implements KubeconfigCatalog {
    private static final List<Place> SYSTEM = List.of(
            new Place("RKE2", "etc/rancher/rke2/rke2.yaml"),
            new Place("k3s", "etc/rancher/k3s/k3s.yaml"),
            new Place("MicroK8s", "var/snap/microk8s/current/credentials/client.config"),
            new Place("kubeadm", "etc/kubernetes/admin.conf"));

    private final Path root;
    private final Path home;
    private final Map<String, String> environment;

    /** @param path below the root folder */
    private record Place(String origin, String path) {
    }

    /** This machine, as this user sees it. */
    public KubeconfigFiles() {
        this(Path.of("/"), Path.of(System.getProperty("user.home")), System.getenv());
    }

    /** @param root the folder that stands for {@code /} */
    public KubeconfigFiles(Path root, Path home, Map<String, String> environment) {
        this.root = root;
        this.home = home;
        this.environment = Map.copyOf(environment);
    }

    @Override
    public List<Found> find() {
        List<Found> all = new ArrayList<>();
        List<Path> listed = listed();
        if (!listed.isEmpty()) {
            all.add(look(listed, "KUBECONFIG"));
        }
        Path usual = home.resolve(".kube/config");
        if (!Files.notExists(usual) && !listed.contains(usual)) {
            all.add(look(List.of(usual), "~/.kube/config"));
        }
        for (Place place : SYSTEM) {
            Path file = root.resolve(place.path());
            if (!Files.notExists(file) && !listed.contains(file)) {
                all.add(look(List.of(file), place.origin()));
            }
        }
        talos().ifPresent(file -> all.add(look(List.of(file), "Talos")));
        return all;
    }

    @Override
    public Found read(List<Path> files) {
        return look(files, files.size() == 1 ? "file" : "files");
    }

    /** The files of {@code KUBECONFIG}, in its order; empty entries are skipped as kubectl does. */
    private List<Path> listed() {
        String value = environment.getOrDefault("KUBECONFIG", "");
        return Arrays.stream(value.split(File.pathSeparator)).filter(path -> !path.isBlank()).distinct()
                .map(Path::of).toList();
    }

    /** talosctl writes a kubeconfig where it is told; beside its own configuration is the usual place. */
    private Optional<Path> talos() {
        Path beside = home.resolve(".talos/kubeconfig");
        Path own = home.resolve(".talos/config");
        if (Files.exists(beside)) {
            return Optional.of(beside);
        }
        return Files.exists(own) ? Optional.of(own) : Optional.empty();
    }

    private static Found look(List<Path> files, String origin) {
        try {
            Kubeconfig kubeconfig = KubeconfigReader.read(files);
            List<ContextEntry> contexts = kubeconfig.contexts().values().stream()
                    .map(context -> entry(kubeconfig, context)).toList();
            Optional<Trouble> trouble = contexts.isEmpty()
                    ? Optional.of(new Trouble(Trouble.Kind.MISSING,
                            String.join(", ", files.stream().map(HomePath::shorten).toList()), "it has no context",
                            "Copy the kubeconfig again from the cluster."))
                    : Optional.empty();
            return new Found(files, origin, contexts, kubeconfig.currentContext(), trouble);
        } catch (TroubleException unusable) {
            return new Found(files, origin, List.of(), Optional.empty(), Optional.of(unusable.trouble()));
        }
    }

    private static ContextEntry entry(Kubeconfig kubeconfig, Kubeconfig.Context context) {
        Optional<Kubeconfig.Cluster> cluster = Optional.ofNullable(kubeconfig.clusters().get(context.cluster()));
        Optional<Kubeconfig.User> user = Optional.ofNullable(kubeconfig.users().get(context.user()));
        return new ContextEntry(context.name(), context.cluster(),
                cluster.map(Kubeconfig.Cluster::server).orElse(""), context.user(),
                user.map(Kubeconfig.User::auth).orElse("none"), check(kubeconfig, context));
    }

    private static Optional<Trouble> check(Kubeconfig kubeconfig, Kubeconfig.Context context) {
        try {
            Kubeconfig.Target target = kubeconfig.target(context);
            ServerTrust.of(target.cluster());
            SignIn.check(target.user());
            return Optional.empty();
        } catch (TroubleException unusable) {
            return Optional.of(unusable.trouble());
        }
    }

    /** A file that this user may not read, with the one command that makes a readable copy. */
    static Trouble unreadable(Path file) {
        String user = System.getProperty("user.name");
        String name = file.getFileName().toString().replaceAll("\\.(yaml|conf|config)$", "");
        String copy = "~/.kube/" + name + ".yaml";
        return new Trouble(Trouble.Kind.RIGHTS, HomePath.shorten(file), "this user may not read it",
                "Run \"sudo install -D -m 600 -o " + user + " " + file.toAbsolutePath() + " " + copy
                        + "\" and choose that copy.");
    }
}
