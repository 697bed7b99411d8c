package dev.pitwall.link.kube;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.HopRun;
import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.Way;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.models.ServerReach;
import dev.pitwall.link.prometheus.MetricsReach;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Hop;
import dev.pitwall.site.Identity;
import dev.pitwall.site.Reachability.Outcome;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tests the way to a cluster, hop by hop. No credential is sent before the server's certificate is in order. */
public final class ClusterReach {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterReach.class);
    private static final Duration LIMIT = Duration.ofSeconds(8);
    private static final String WANTED =
            "list and watch nodes, pods, services, daemonsets; services/proxy, pods/proxy";

    private final TimeLimits limits;
    private final NetworkTrouble troubles;
    private final Words words;
    private final Way way;
    private final InstantSource clock;

    /** Looks at one thing and says what was found. */
    @FunctionalInterface
    private interface Look {
        String find() throws TroubleException, InterruptedException;
    }

    public ClusterReach(TimeLimits limits, NetworkTrouble troubles, InstantSource clock) {
        this.limits = limits;
        this.troubles = troubles;
        this.words = troubles.words();
        this.way = new Way(troubles, new Limits(LIMIT, LIMIT));
        this.clock = clock;
    }

    /** As {@link dev.pitwall.site.Reachability#cluster}. */
    public Outcome cluster(ClusterAccess access, Consumer<List<Hop>> progress) {
        return new Test(access, progress).run();
    }

    /** A Prometheus inside the cluster, asked through the API server. */
    public Outcome metrics(Endpoint endpoint, ClusterAccess access, Consumer<List<Hop>> progress) {
        MetricsReach metrics = new MetricsReach(words);
        return inside(access, progress, metrics::plan, (run, server) -> {
            try (HttpReader http = path(endpoint).reader(server, Service.PROMETHEUS, "prometheus", limits.metrics())) {
                metrics.go(run, http);
            }
        });
    }

    /** A model server inside the cluster, asked through the API server. */
    public Outcome server(String name, Endpoint endpoint, ClusterAccess access, Consumer<List<Hop>> progress) {
        ServerReach servers = new ServerReach(words);
        return inside(access, progress, servers::plan, (run, server) -> {
            try (HttpReader http = path(endpoint).reader(server, Service.MODELS, name, limits.models())) {
                servers.go(run, name, http);
            }
        });
    }

    private static ProxyPath path(Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Service service -> ProxyPath.of(service);
            case Endpoint.Pod pod -> ProxyPath.of(pod);
            case Endpoint.Url url -> throw new IllegalArgumentException(url + " is not inside the cluster");
        };
    }

    /** The hops behind the API server. */
    @FunctionalInterface
    private interface Behind {
        void go(HopRun run, ApiServer server) throws TroubleException, InterruptedException;
    }

    private Outcome inside(ClusterAccess access, Consumer<List<Hop>> progress, Consumer<HopRun> plan, Behind behind) {
        HopRun run = new HopRun(progress);
        run.plan("Cluster", "the way through the API server");
        plan.accept(run);
        try (OpenServer open = new OpenServer(access, troubles, clock)) {
            ApiServer server = run.step("Cluster", "asking", () -> {
                ApiServer opened = open.server();
                String version = version(opened);
                return new HopRun.Found<>(opened, "Kubernetes " + version + " at " + opened.where());
            });
            behind.go(run, server);
        } catch (TroubleException refused) {
            LOG.debug("connection test ended: {}", refused.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return run.outcome(Optional.empty(), List.of());
    }

    private static String version(ApiServer server) throws TroubleException {
        try {
            String text = server.get("/version", "read its version").path("gitVersion").asText("");
            if (text.isEmpty()) {
                throw new TroubleException(new Trouble(Trouble.Kind.PROTOCOL, server.where(),
                        "it answers, but not with a Kubernetes version",
                        "Check the server address in the kubeconfig; another service may stand there."));
            }
            return text;
        } catch (ApiRefusal refusal) {
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    /** One run of the test, and what it has learnt so far. */
    private final class Test {
        private final ClusterAccess access;
        private final HopRun hops;
        private final List<String> notes = new ArrayList<>();
        private Optional<Identity> identity = Optional.empty();
        private ApiServer server;
        private InetAddress address;
        private boolean reached;
        private String user = "";
        private Rights.Operator operator = Rights.Operator.NOT_FOUND;

        Test(ClusterAccess access, Consumer<List<Hop>> progress) {
            this.access = access;
            this.hops = new HopRun(progress);
        }

        Outcome run() {
            try {
                hops.step("Kubeconfig", "reading", found(this::kubeconfig));
                plan();
                step(words.text("hop.name"), this::name);
                step(portHop(), this::connect);
                step(words.text("hop.tls"), this::tls);
                reached = true;
                step("Credentials", this::credentials);
                step("Sign-in", this::signIn);
                step("Version", this::version);
                step("GPU operator", this::gpuOperator);
                step("Rights", this::rights);
            } catch (TroubleException refused) {
                LOG.debug("connection test ended: {}", refused.getMessage());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } finally {
                if (server != null) {
                    server.close();
                }
            }
            noteCopiedKubeconfig();
            return hops.outcome(identity, notes);
        }

        private void noteCopiedKubeconfig() {
            if (server != null && server.trust().loopback() && !reached) {
                notes.add("The kubeconfig names " + server.trust().base().host()
                        + ", which is this machine. A copy from a server node needs that node's address instead.");
            }
        }

        private void plan() {
            hops.plan(words.text("hop.name"), words.text("hop.name.then"))
                    .plan(portHop(), words.text("hop.port.then"))
                    .plan(words.text("hop.tls"), "certificate checked against the kubeconfig's authority")
                    .plan("Credentials", "sent only after the certificate is in order")
                    .plan("Sign-in", "who the cluster takes you for")
                    .plan("Version", "the cluster's Kubernetes")
                    .plan("GPU operator", "installed or not")
                    .plan("Rights", "then: " + WANTED);
        }

        private String portHop() {
            return words.text("hop.port", "port", Integer.toString(port()));
        }

        private void step(String name, Look look) throws TroubleException, InterruptedException {
            hops.step(name, "asking", found(look));
        }

        private HopRun.Attempt<String> found(Look look) {
            return () -> {
                String text = look.find();
                return new HopRun.Found<>(text, text);
            };
        }

        private String kubeconfig() throws TroubleException {
            Kubeconfig kubeconfig = KubeconfigReader.read(access.kubeconfigs());
            Kubeconfig.Target target = kubeconfig.target(access.context());
            server = ApiServer.open(target, troubles, clock);
            return "context " + target.context().name() + ", cluster " + target.cluster().name() + ", user "
                    + (target.user().name().isEmpty() ? "none" : target.user().name());
        }

        private boolean proxied() {
            return server.trust().proxy() != Proxy.NO_PROXY;
        }

        private InetSocketAddress next() {
            return proxied() && server.trust().proxy().address() instanceof InetSocketAddress proxy ? proxy
                    : InetSocketAddress.createUnresolved(server.trust().base().host(), server.trust().base().port());
        }

        private int port() {
            return next().getPort();
        }

        private Place nearest() {
            return new Place(Service.CLUSTER, server.name(), next().getHostString(), port());
        }

        private String name() throws TroubleException {
            try {
                HopRun.Found<InetAddress> found = way.resolve(nearest());
                address = found.value();
                return (proxied() ? "proxy " : "") + found.text();
            } catch (TroubleException failed) {
                throw server.named(failed);
            }
        }

        private String connect() throws TroubleException {
            try {
                return way.connect(address, nearest()).text() + (proxied() ? " to the proxy" : "");
            } catch (TroubleException failed) {
                throw server.named(failed);
            }
        }

        private String tls() throws TroubleException {
            if (!server.trust().base().isHttps()) {
                notes.add("The server is reached over plain HTTP: whoever is on the way can read and change it.");
                return "plain HTTP, not encrypted";
            }
            if (proxied()) {
                return "checked with the first request, behind the proxy";
            }
            ServerCertificate certificate = new ServerCertificate(server, LIMIT, clock);
            ServerCertificate.Shown shown = certificate.fetch();
            identity = Optional.of(shown.certificate().identity("openssl s_client -connect "
                    + server.place().where() + " </dev/null | openssl x509 -noout -fingerprint -sha256"));
            return certificate.check(shown);
        }

        private String credentials() throws TroubleException {
            server.signIn().prepare();
            Optional<Trouble> expired = server.signIn().expired(clock.instant(), server.where());
            if (expired.isPresent()) {
                throw new TroubleException(expired.get());
            }
            return server.signIn().text();
        }

        private String signIn() throws TroubleException {
            user = new Rights(server).whoAmI();
            if (user.equals("system:anonymous")) {
                throw new TroubleException(new Trouble(Trouble.Kind.CREDENTIALS, server.where(),
                        "the cluster takes you for nobody (system:anonymous)", server.signIn().afterRefusal()));
            }
            return user.isEmpty() ? "accepted; this cluster is too old to say as whom" : "as " + user;
        }

        private String version() throws TroubleException {
            return "Kubernetes " + ClusterReach.version(server);
        }

        private String gpuOperator() throws TroubleException {
            try {
                JsonNode policies = server.get(WatchedResource.POLICIES.path(), "list clusterpolicies.nvidia.com");
                operator = Rights.Operator.FOUND;
                JsonNode first = policies.path("items").path(0);
                return first.isMissingNode() ? "its ClusterPolicy is not there yet"
                        : "found, " + first.path("metadata").path("name").asText() + " is "
                        + first.path("status").path("state").asText("not judged yet");
            } catch (ApiRefusal refusal) {
                if (refusal.absent()) {
                    return "not found; cards need it, or a device plugin of their own, to be scheduled";
                }
                if (refusal.forbidden()) {
                    operator = Rights.Operator.FOUND;
                    return "may not be asked for";
                }
                throw new TroubleException(refusal.trouble(), refusal);
            }
        }

        private String rights() throws TroubleException {
            List<Rights.Right> missing = new Rights(server).missing(operator);
            if (!missing.isEmpty()) {
                throw new TroubleException(Rights.trouble(missing, user, server.where()));
            }
            new Rights(server).withoutLease(user).ifPresent(notes::add);
            return WANTED;
        }
    }
}
