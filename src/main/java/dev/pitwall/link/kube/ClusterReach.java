package dev.pitwall.link.kube;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Hop;
import dev.pitwall.site.Identity;
import dev.pitwall.site.Reachability.Outcome;

/** Tests the way to a cluster, hop by hop. No credential is sent before the server's certificate is in order. */
public final class ClusterReach {
    private static final Duration LIMIT = Duration.ofSeconds(8);

    private final NetworkTrouble troubles;
    private final InstantSource clock;

    public ClusterReach(NetworkTrouble troubles, InstantSource clock) {
        this.troubles = troubles;
        this.clock = clock;
    }

    /** As {@link dev.pitwall.site.Reachability#cluster}. */
    public Outcome cluster(ClusterAccess access, Consumer<List<Hop>> progress) {
        return new Test(access, progress).run();
    }

    /** One run of the test, and what it has learnt so far. */
    private final class Test {
        private final ClusterAccess access;
        private final Hops hops;
        private final List<String> notes = new ArrayList<>();
        private Optional<Identity> identity = Optional.empty();
        private ApiServer server;
        private String user = "";
        private Rights.Operator operator = Rights.Operator.NOT_FOUND;

        Test(ClusterAccess access, Consumer<List<Hop>> progress) {
            this.access = access;
            this.hops = new Hops(progress)
                    .plan("Kubeconfig", "read, context found")
                    .plan("Name", "the server's address")
                    .plan("Port", "connected")
                    .plan("TLS", "certificate checked against the kubeconfig's authority")
                    .plan("Credentials", "sent only after the certificate is in order")
                    .plan("Sign-in", "who the cluster takes you for")
                    .plan("Version", "a supported Kubernetes")
                    .plan("GPU operator", "installed or not")
                    .plan("Rights", "then: list and watch nodes, pods, services, daemonsets; services/proxy, pods/proxy");
        }

        Outcome run() {
            hops.show();
            try {
                boolean passed = hops.run(this::kubeconfig) == Hops.Outcome.PASSED
                        && hops.run(this::name) == Hops.Outcome.PASSED
                        && hops.run("Port " + port(), this::connect) == Hops.Outcome.PASSED
                        && hops.run(this::tls) == Hops.Outcome.PASSED
                        && hops.run(this::credentials) == Hops.Outcome.PASSED
                        && hops.run(this::signIn) == Hops.Outcome.PASSED
                        && hops.run(this::version) == Hops.Outcome.PASSED;
                if (passed) {
                    hops.run(this::gpuOperator);
                    hops.run(this::rights);
                }
                return new Outcome(hops.all(), identity, notes);
            } finally {
                if (server != null) {
                    server.close();
                }
            }
        }

        private String kubeconfig() throws TroubleException {
            Kubeconfig kubeconfig = KubeconfigReader.read(access.kubeconfigs());
            Kubeconfig.Target target = kubeconfig.target(access.context());
            server = ApiServer.open(target, troubles, clock);
            if (server.trust().loopback()) {
                notes.add("The kubeconfig names " + server.trust().base().host()
                        + ", which is this machine. A copy from a server node needs that node's address instead.");
            }
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

        private String name() throws TroubleException {
            String host = next().getHostString();
            try {
                String address = InetAddress.getByName(host).getHostAddress();
                return (proxied() ? "proxy " : "") + (address.equals(host) ? host : host + " is " + address);
            } catch (UnknownHostException unknown) {
                throw server.trouble(unknown);
            }
        }

        private String connect() throws TroubleException {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(next().getHostString(), port()), (int) LIMIT.toMillis());
                return proxied() ? "connected to the proxy" : "connected";
            } catch (IOException failed) {
                throw server.trouble(failed);
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
            try {
                JsonNode version = server.get("/version", "read its version");
                String text = version.path("gitVersion").asText("");
                if (text.isEmpty()) {
                    throw new TroubleException(new Trouble(Trouble.Kind.PROTOCOL, server.where(),
                            "it answers, but not with a Kubernetes version",
                            "Check the server address in the kubeconfig; another service may stand there."));
                }
                return "Kubernetes " + text;
            } catch (ApiRefusal refusal) {
                throw new TroubleException(refusal.trouble(), refusal);
            }
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
            return "list and watch nodes, pods, services, daemonsets; services/proxy, pods/proxy";
        }
    }
}
