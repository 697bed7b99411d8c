package dev.pitwall.lab.kube;

import dev.pitwall.card.TroubleException;
import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.LabEndpoint;
import dev.pitwall.lab.LabServer;
import dev.pitwall.lab.LabSite;
import dev.pitwall.lab.PrivateFile;
import dev.pitwall.lab.kube.api.ApiServer;
import dev.pitwall.lab.kube.api.Authenticator;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.api.User;
import dev.pitwall.lab.kube.kubelet.DeviceHolders;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.net.LabHttp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The lab's Kubernetes cluster: its API on HTTPS, the state behind it, and the kubeconfig that leads to it. */
public final class KubeServer implements LabServer {
    /** Changes remembered for each resource; a watch that wants older ones gets 410 Gone. */
    private static final int WINDOW = 4096;
    private static final String LISTENER = "kubernetes";
    private static final String KUBECONFIG = "kubeconfig";
    private static final int TOKEN_BYTES = 24;

    private final LabHttp http;
    private final LabAuthority authority;
    private final String context;
    private final RunningCluster cluster;
    private final ApiServer api;
    private final String adminToken = token();
    private final String viewerToken = token();
    private final URI uri;

    private KubeServer(LabContext lab, ProcessSockets sockets, int window) throws TroubleException {
        this.http = lab.http();
        this.authority = lab.authority();
        this.context = lab.world().read(world -> world.cluster.isEmpty() ? "lab" : world.cluster);
        ResourceCatalog catalog = ResourceCatalog.load();
        this.cluster = new RunningCluster(lab.world(), catalog, sockets, authority.caPem(), window,
                new RunningCluster.Faults(lab.faults(), lab.startFaults()));
        Authenticator authenticator = new Authenticator(Map.of(
                adminToken, new User("system:serviceaccount:kube-system:pitwall", List.of(User.MASTERS)),
                viewerToken, new User("viewer", List.of("pitwall:viewers"))));
        this.api = new ApiServer(catalog, cluster.store(), authenticator, cluster.containers(), cluster.gate(),
                cluster.clock(), cluster::version);
        cluster.start();
        InetSocketAddress address = http.listen(LISTENER,
                Optional.of(authority.serverContext("kube-apiserver", List.of("kubernetes",
                        "kubernetes.default.svc"))), api);
        this.uri = URI.create("https://127.0.0.1:" + address.getPort());
    }

    /**
     * Starts the cluster and writes {@code kubeconfig} into the lab's folder.
     *
     * @throws TroubleException if a fault to begin with cannot be expressed
     */
    public static KubeServer start(LabContext lab, ProcessSockets sockets) throws IOException, TroubleException {
        return start(lab, sockets, WINDOW);
    }

    static KubeServer start(LabContext lab, ProcessSockets sockets, int window)
            throws IOException, TroubleException {
        KubeServer server = new KubeServer(lab, sockets, window);
        server.writeKubeconfig(lab.dir());
        return server;
    }

    /** The cluster's objects, for the lab's own controllers. */
    public ObjectStore store() {
        return cluster.store();
    }

    /** Which container holds which card. */
    public DeviceHolders holders() {
        return cluster.holders();
    }

    /** Watches that are open now. */
    public int openWatches() {
        return api.openWatches();
    }

    /**
     * Writes a kubeconfig with three contexts: the cluster's name (client certificate), {@code NAME-token} (bearer
     * token, the same rights) and {@code NAME-viewer} (a token that may only look, and not at secrets).
     *
     * @return the file, readable by its owner only
     */
    public Path writeKubeconfig(Path dir) throws IOException {
        byte[] bytes = new Kubeconfig(context, uri, authority.caPem())
                .withCertificate(context, authority.client("pitwall-admin", List.of(User.MASTERS)))
                .withToken(context + "-token", adminToken)
                .withToken(context + "-viewer", viewerToken).bytes();
        Path file = dir.resolve(KUBECONFIG);
        PrivateFile.write(file, bytes);
        return file;
    }

    @Override
    public List<LabEndpoint> endpoints() {
        return List.of(new LabEndpoint("kubernetes", context, uri));
    }

    @Override
    public void describe(LabSite site) {
        site.cluster(KUBECONFIG, context);
    }

    @Override
    public void close() {
        http.remove(LISTENER);
        api.close();
        cluster.close();
    }

    private static String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
