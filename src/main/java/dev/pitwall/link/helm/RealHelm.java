package dev.pitwall.link.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.marcnuri.helm.TemplateCommand;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.change.HelmChange.Past;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.link.kube.SignedIn;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * Helm 3 itself, which helm-java brings into this process. What a cluster has of releases is read from their Secrets; Helm
 * is called to make, change and remove them, and to render ([decision 9](docs/decisions/0009-helm-runs-in-process.md)).
 */
public final class RealHelm implements Helm {
    private static final Duration ABANDONED_WITHIN = Duration.ofSeconds(30);
    private static final Duration ABANDONED_LOOKS = Duration.ofMillis(50);
    /** Each would lead Helm elsewhere than the kubeconfig that it is given (helm/helm: pkg/cli/environment.go). */
    private static final List<String> LEADING_ASTRAY = List.of("HELM_KUBEAPISERVER", "HELM_KUBECONTEXT", "HELM_KUBETOKEN",
            "HELM_KUBEASUSER", "HELM_KUBEASGROUPS", "HELM_KUBECAFILE", "HELM_KUBETLS_SERVER_NAME",
            "HELM_KUBEINSECURE_SKIP_TLS_VERIFY");
    private static final List<String> WAITED_FOR = List.of("Job", "Pod");
    private static final String DRIVER = "HELM_DRIVER";
    private static final List<String> SECRETS = List.of("", "secret", "secrets");

    private final Cluster cluster;
    private final SignedIn signedIn;
    private final NetworkTrouble troubles;
    private final Map<String, String> environment;
    private final Charts charts;
    private final HelmThread thread = new HelmThread();

    /**
     * @param cluster     the same that {@code signedIn} leads to; not closed by this
     * @param environment of this process
     */
    public RealHelm(Cluster cluster, SignedIn signedIn, NetworkTrouble troubles, InstantSource clock,
                    Map<String, String> environment) {
        this.cluster = cluster;
        this.signedIn = signedIn;
        this.troubles = troubles;
        this.environment = Map.copyOf(environment);
        this.charts = new Charts(troubles, clock, environment);
    }

    @Override
    public List<Release> releases() throws TroubleException, InterruptedException {
        Map<String, JsonNode> newest = new HashMap<>();
        for (JsonNode secret : cluster.list(ObjectType.SECRET, "", ReleaseSecret.ALL)) {
            newest.merge(secret.at("/metadata/namespace").asText() + "/" + secret.at("/metadata/labels/name").asText(),
                    secret, (one, other) -> revision(one) > revision(other) ? one : other);
        }
        List<Release> releases = new ArrayList<>();
        for (JsonNode secret : newest.values()) {
            releases.add(record(secret).release());
        }
        return releases.stream().sorted(Comparator.comparing(Release::namespace).thenComparing(Release::name))
                .toList();
    }

    @Override
    public List<Release> history(String namespace, String release) throws TroubleException, InterruptedException {
        List<Release> revisions = new ArrayList<>();
        for (JsonNode secret : cluster.list(ObjectType.SECRET, namespace, ReleaseSecret.ALL + ",name=" + release)) {
            revisions.add(record(secret).release());
        }
        return revisions.stream().sorted(Comparator.comparing(Release::revision).reversed()).toList();
    }

    private static int revision(JsonNode secret) {
        return secret.at("/metadata/labels/version").asInt();
    }

    private ReleaseSecret record(JsonNode secret) throws TroubleException {
        try {
            return ReleaseSecret.of(secret);
        } catch (IOException unreadable) {
            String where = "secrets/" + secret.at("/metadata/name").asText() + " in "
                    + secret.at("/metadata/namespace").asText();
            throw new TroubleException(troubles.words().troubleBehind(Kind.UNREADABLE, place(), where, "helm.badrecord"),
                    unreadable);
        }
    }

    @Override
    public Optional<JsonNode> values(String namespace, String release, int revision)
            throws TroubleException, InterruptedException {
        Optional<JsonNode> secret = cluster.get(ReleaseSecret.at(namespace, release, revision));
        return secret.isEmpty() ? Optional.empty() : Optional.of(record(secret.get()).values());
    }

    @Override
    public List<String> versions(String repository, String chart) throws TroubleException, InterruptedException {
        return charts.versions(repository, chart);
    }

    @Override
    public ChartFile chart(String repository, String chart, String version)
            throws TroubleException, InterruptedException {
        return charts.chart(repository, chart, version);
    }

    @Override
    public List<JsonNode> template(Order order) throws TroubleException, InterruptedException {
        byte[] archive = charts.archive(order.repository(), order.chart(), order.version());
        String version = cluster.version();
        String rendered = run(order, () -> {
            try (PrivateFolder folder = PrivateFolder.make()) {
                TemplateCommand command = com.marcnuri.helm.Helm.template(chart(folder, archive).toString())
                        .withName(order.release()).withNamespace(order.namespace())
                        .withValuesFile(values(folder, order));
                return (version.isEmpty() ? command : command.withKubeVersion(version)).call();
            }
        });
        try {
            return ChartReader.documents(rendered.getBytes(StandardCharsets.UTF_8));
        } catch (IOException garbled) {
            throw new TroubleException(troubles.words().troubleBehind(Kind.UNREADABLE, place(), where(order),
                    "helm.badmanifest", "chart", order.chart()), garbled);
        }
    }

    @Override
    public void install(Order order, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        byte[] archive = charts.archive(order.repository(), order.chart(), order.version());
        byte[] kubeconfig = kubeconfig();
        lines.accept(run(order, () -> {
            try (PrivateFolder folder = PrivateFolder.make()) {
                return told(com.marcnuri.helm.Helm.install(chart(folder, archive).toString()).withName(order.release())
                        .withNamespace(order.namespace()).withValuesFile(values(folder, order))
                        .withKubeConfig(folder.write("kubeconfig", kubeconfig)).withTimeout(seconds(limit)).call());
            }
        }));
    }

    @Override
    public void upgrade(Order order, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        byte[] archive = charts.archive(order.repository(), order.chart(), order.version());
        byte[] kubeconfig = kubeconfig();
        revive(order.namespace(), order.release());
        lines.accept(run(order, () -> {
            try (PrivateFolder folder = PrivateFolder.make()) {
                // Without it Helm would go on with the values of before where none are given.
                return told(com.marcnuri.helm.Helm.upgrade(chart(folder, archive).toString()).withName(order.release())
                        .withNamespace(order.namespace()).resetValues().withValuesFile(values(folder, order))
                        .withKubeConfig(folder.write("kubeconfig", kubeconfig)).withTimeout(seconds(limit)).call());
            }
        }));
    }

    /**
     * A release that was uninstalled with its history kept comes back as {@code helm rollback} would bring it, which
     * helm-java has not: its last revision is taken for one that was superseded, and the next comes after it.
     */
    private void revive(String namespace, String release) throws TroubleException, InterruptedException {
        Optional<Release> last = newest(namespace, release);
        if (last.filter(r -> r.status().equals("uninstalled")).isEmpty()) {
            return;
        }
        ObjectRef at = ReleaseSecret.at(namespace, release, last.get().revision());
        Optional<JsonNode> secret = cluster.get(at);
        if (secret.isPresent()) {
            cluster.patch(at, record(secret.get()).as(last.get().revision(), "superseded"), secret.get().at("/metadata/resourceVersion").asText(),
                    Earnest.MAKE);
        }
    }

    private Optional<Release> newest(String namespace, String release) throws TroubleException, InterruptedException {
        Optional<JsonNode> newest = cluster.list(ObjectType.SECRET, namespace, ReleaseSecret.ALL + ",name=" + release)
                .stream().reduce((one, other) -> revision(one) > revision(other) ? one : other);
        return newest.isEmpty() ? Optional.empty() : Optional.of(record(newest.get()).release());
    }

    /**
     * Helm waits for hooks without end here; those that are late are removed, after which it goes on. What hooks leave is
     * no part of a release to Helm, and is removed here where nothing of it is to stay.
     */
    @Override
    public void uninstall(String namespace, String release, Past past, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        byte[] kubeconfig = kubeconfig();
        List<ObjectRef> hooks = hooks(namespace, release);
        Order order = new Order(namespace, release, "", "", "", JsonNodeFactory.instance.objectNode());
        String said = on(order, helm -> helm.call(() -> {
            try (PrivateFolder folder = PrivateFolder.make()) {
                var command = com.marcnuri.helm.Helm.uninstall(release).withNamespace(namespace)
                        .withKubeConfig(folder.write("kubeconfig", kubeconfig));
                return (past == Past.KEPT ? command.keepHistory() : command).call();
            }
        }, limit, () -> {
            for (ObjectRef hook : hooks) {
                if (WAITED_FOR.contains(hook.type().kind()) && cluster.get(hook).isPresent()) {
                    lines.accept(hook + " did not end within " + limit.toSeconds() + " s and is removed");
                    cluster.delete(hook);
                }
            }
        }));
        said.lines().filter(line -> !line.isBlank()).forEach(lines);
        if (past == Past.FORGOTTEN) {
            for (ObjectRef hook : hooks) {
                if (cluster.get(hook).filter(RealHelm::isHook).isPresent()) {
                    cluster.delete(hook);
                }
            }
        }
    }

    private static boolean isHook(JsonNode object) {
        return object.at("/metadata/annotations").has("helm.sh/hook");
    }

    private List<ObjectRef> hooks(String namespace, String release) throws TroubleException, InterruptedException {
        Optional<Release> last = newest(namespace, release);
        if (last.isEmpty()) {
            return List.of();
        }
        Optional<JsonNode> secret = cluster.get(ReleaseSecret.at(namespace, release, last.get().revision()));
        try {
            return secret.isEmpty() ? List.of() : record(secret.get()).hooks();
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    @Override
    public void abandon(String namespace, String release, int revision) throws TroubleException, InterruptedException {
        ObjectRef secret = ReleaseSecret.at(namespace, release, revision);
        cluster.delete(secret);
        // It goes when the cluster's garbage collector has looked; until then Helm would still find it.
        long end = System.nanoTime() + ABANDONED_WITHIN.toNanos();
        while (cluster.get(secret).isPresent()) {
            if (System.nanoTime() > end) {
                throw new TroubleException(new Trouble(Trouble.Kind.BUSY, secret.toString(), "it was deleted and does not go",
                        "See what holds it: kubectl get " + secret + " -o yaml"));
            }
            Thread.sleep(ABANDONED_LOOKS);
        }
    }

    /** A call of Helm on its thread. */
    private interface Work {
        String on(HelmThread thread) throws ExecutionException, InterruptedException;
    }

    private String run(Order order, Callable<String> call)
            throws TroubleException, InterruptedException {
        return on(order, helm -> helm.call(call));
    }

    private String on(Order order, Work work) throws TroubleException, InterruptedException {
        refuseIfLedAstray();
        try {
            return work.on(thread);
        } catch (ExecutionException failed) {
            throw failure(failed.getCause(), order);
        }
    }

    private TroubleException failure(Throwable cause, Order order) throws TroubleException, InterruptedException {
        return switch (cause) {
            case TroubleException trouble -> trouble;
            // helm-java's sort for all that Helm says. It is not attached: it may repeat a value.
            case IllegalStateException said when said.getCause() == null -> new TroubleException(said(said, order));
            case IOException e -> new TroubleException(troubles.words().troubleBehind(Kind.UNREADABLE, place(),
                    "Helm", "helm.nofolder"), e);
            case Throwable unusable -> new TroubleException(troubles.words().troubleBehind(Kind.MISSING, place(), "Helm",
                    "helm.notloaded"), unusable);
        };
    }

    private Trouble said(IllegalStateException helm, Order order) throws TroubleException, InterruptedException {
        String message = String.valueOf(helm.getMessage());
        if (message.contains("another operation (install/upgrade/rollback) is in progress")) {
            Optional<Release> pending = newest(order.namespace(), order.release());
            if (pending.isPresent()) {
                return troubles.words().troubleBehind(Kind.BUSY, place(), where(order), "helm.pending", "revision",
                        Integer.toString(pending.get().revision()), "status", pending.get().status(), "since",
                        pending.get().updated().toString(), "namespace", order.namespace(), "secret",
                        ReleaseSecret.at(order.namespace(), order.release(), pending.get().revision()).name());
            }
        }
        return new HelmTroubles(troubles.words(), cluster.name(), where(order), order.namespace(), order.values())
                .of(message);
    }

    private void refuseIfLedAstray() throws TroubleException {
        for (String variable : LEADING_ASTRAY) {
            if (!environment.getOrDefault(variable, "").isEmpty()) {
                throw astray(variable);
            }
        }
        if (!SECRETS.contains(environment.getOrDefault(DRIVER, ""))) {
            throw astray(DRIVER);
        }
    }

    private TroubleException astray(String variable) {
        return new TroubleException(troubles.words().troubleBehind(Kind.MISSING, place(), "Helm", "helm.astray", "variable",
                variable));
    }

    private byte[] kubeconfig() throws TroubleException {
        return signedIn.kubeconfig();
    }

    private static Path chart(PrivateFolder folder, byte[] archive) throws IOException {
        return folder.write("chart.tgz", archive);
    }

    /** JSON is YAML, and keeps text that looks like a number a text. */
    private static Path values(PrivateFolder folder, Order order) throws IOException {
        return folder.write("values.yaml", order.values().toString().getBytes(StandardCharsets.UTF_8));
    }

    private static int seconds(Duration limit) {
        return (int) Math.max(1, limit.toSeconds());
    }

    /** Without what Helm prints of a release beside: its notes, which a chart may have put values into. */
    private static String told(com.marcnuri.helm.Release release) {
        return release.getName() + " is " + release.getStatus() + " at revision " + release.getRevision();
    }

    private String where(Order order) {
        return "release " + order.release() + " in " + order.namespace() + " (" + cluster.name() + ")";
    }

    private Place place() {
        return new Place(Service.CLUSTER, cluster.name(), cluster.name(), 443);
    }

    @Override
    public void close() {
        charts.close();
        thread.close();
    }
}
