package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.HopRun;
import dev.pitwall.link.HopRun.Found;
import dev.pitwall.link.Way;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.PinnedTrust;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.link.trust.TlsLook;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Hop;
import dev.pitwall.site.Identity;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.Reachability.Outcome;
import dev.pitwall.site.Reachability.Peer;
import dev.pitwall.site.SecondFactor;

import java.io.IOException;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Goes the way to a Proxmox API hop by hop. No secret is sent before the certificate is trusted. */
public final class ProxmoxReach {
    /** What shows the fingerprint on the host's own console (facts 1.2). */
    private static final String CONSOLE = "pvenode cert info";

    private final InstantSource clock;
    private final Limits limits;
    private final NetworkTrouble troubles;
    private final Words words;
    private final Rights rights = new Rights();

    public ProxmoxReach(InstantSource clock, Limits limits, NetworkTrouble troubles) {
        this.clock = clock;
        this.limits = limits;
        this.troubles = troubles;
        this.words = troubles.words();
    }

    /** @param secret the token's secret or the password as typed */
    public Outcome test(ProxmoxAccess access, String secret, SecondFactor secondFactor,
                        Consumer<List<Hop>> progress) {
        return new Test(access, secret, secondFactor, progress).run();
    }

    /** One test, and what it has found so far. */
    private final class Test {
        private final ProxmoxAccess access;
        private final String secret;
        private final SecondFactor secondFactor;
        private final Place place;
        private final HopRun run;
        private final Way way;
        private final List<String> notes = new ArrayList<>();
        private final List<Peer> peers = new ArrayList<>();
        private Optional<Identity> identity = Optional.empty();

        Test(ProxmoxAccess access, String secret, SecondFactor secondFactor, Consumer<List<Hop>> progress) {
            this.access = access;
            this.secret = secret;
            this.secondFactor = secondFactor;
            this.place = Place.of(Service.PROXMOX, access.name(), access.url());
            this.run = new HopRun(progress);
            this.way = new Way(troubles, limits);
        }

        Outcome run() {
            way.plan(run, place);
            run.plan(words.text("hop.tls"), words.text("hop.tls.then"))
                    .plan(words.text("hop.certificate"), words.text("hop.certificate.then"))
                    .plan(login(), words.text("hop.login.then"))
                    .plan(words.text("hop.rights"), words.text("hop.rights.then", "rights",
                            String.join(", ", rights.all(Rights.Purpose.READ, Integer.MAX_VALUE))))
                    .plan(words.text("hop.nodes"), words.text("hop.nodes.then"));
            try {
                InetAddress address = way.go(run, place);
                if (trusted(address)) {
                    signedIn();
                }
            } catch (TroubleException e) {
                // Its hop shows it; the ones after it stay to do.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return run.outcome(identity, notes, peers);
        }

        private String login() {
            return words.text(switch (access.login()) {
                case ProxmoxAccess.Token token -> "hop.token";
                case ProxmoxAccess.Password password -> "hop.password";
            });
        }

        private boolean trusted(InetAddress address) throws TroubleException, InterruptedException {
            TlsLook.Seen seen = run.step(words.text("hop.tls"), words.text("hop.tls.now"), () -> {
                TlsLook.Seen look = new TlsLook(troubles, limits)
                        .look(address, place, new PinnedTrust(access.fingerprint(), clock));
                return new Found<>(look, words.text("hop.tls.ok", "version", look.protocol()));
            });
            identity = Optional.of(seen.certificate().identity(CONSOLE));
            boolean firstContact = access.fingerprint().isEmpty()
                    && seen.refusal().filter(trouble -> trouble.kind() == Kind.TRUST).isPresent();
            if (firstContact) {
                run.asks(words.text("hop.certificate"), words.text("hop.certificate.asks"));
                return false;
            }
            run.step(words.text("hop.certificate"), words.text("hop.certificate.now"), () -> {
                if (seen.refusal().isPresent()) {
                    throw new TroubleException(seen.refusal().get());
                }
                return new Found<>(seen, words.text("hop.certificate.ok"));
            });
            return true;
        }

        private void signedIn() throws TroubleException, InterruptedException {
            ProxmoxConnection connection = run.step(login(), words.text("hop.login.now"), this::signIn);
            try (connection) {
                checkRights(connection.api());
                otherNodes(connection.api());
            }
        }

        private Found<ProxmoxConnection> signIn() throws TroubleException, InterruptedException {
            ProxmoxConnection connection = new ProxmoxConnection(access, () -> secret, secondFactor, clock, limits,
                    troubles);
            try {
                String version = new Fields(connection.api().get("version")).text("version").orElse("");
                notes.add(words.text("note.version", "version", version));
                return new Found<>(connection, words.text("hop.login.ok", "version", version));
            } catch (TroubleException | InterruptedException | RuntimeException e) {
                connection.close();
                throw e;
            }
        }

        private void checkRights(ProxmoxApi api) throws TroubleException, InterruptedException {
            run.step(words.text("hop.rights"), words.text("hop.rights.now"), () -> {
                int major = new Fields(api.get("version")).text("version")
                        .map(version -> version.split("\\.")[0]).filter(text -> text.matches("\\d{1,3}"))
                        .map(Integer::valueOf).orElse(Integer.MAX_VALUE);
                JsonNode granted = api.get("access/permissions");
                List<String> missing = rights.missing(Rights.Purpose.READ, major, granted);
                if (!missing.isEmpty()) {
                    throw words.failure(Kind.RIGHTS, place, "proxmox.rights", "rights", String.join(", ", missing));
                }
                List<String> later = rights.missing(Rights.Purpose.CHANGE, major, granted);
                return new Found<>(true, later.isEmpty() ? words.text("hop.rights.ok")
                        : words.text("hop.rights.reads", "rights", String.join(", ", later)));
            });
        }

        private void otherNodes(ProxmoxApi api) throws TroubleException, InterruptedException {
            Map<String, String> pins = new TreeMap<>();
            List<Fields> others = run.step(words.text("hop.nodes"), words.text("hop.nodes.now"), () -> {
                api.get("nodes").forEach(node -> new Fields(node).text("ssl_fingerprint")
                        .ifPresent(pin -> pins.put(node.path("node").asText(), pin)));
                List<Fields> all = api.get("cluster/status").valueStream().map(Fields::new)
                        .filter(entry -> entry.text("type").filter("node"::equals).isPresent())
                        .sorted(Comparator.comparing(entry -> !entry.flag("local").orElse(false))).toList();
                all.forEach(entry -> entry.text("name").ifPresent(name -> peers.add(new Peer(name, entry.text("ip")))));
                List<Fields> found = all.stream().filter(entry -> !entry.flag("local").orElse(false)).toList();
                String names = String.join(", ", found.stream().map(n -> n.text("name").orElse("?")).toList());
                return new Found<>(found, found.isEmpty() ? words.text("hop.nodes.alone")
                        : words.text("hop.nodes.ok", "nodes", names));
            });
            for (Fields node : others) {
                otherNode(node, pins);
            }
        }

        /** A node that does not answer is shown and noted, but does not end the test: the site works without it. */
        private void otherNode(Fields node, Map<String, String> pins) throws InterruptedException {
            String name = node.text("name").orElse("?");
            String hop = words.text("hop.node", "node", name, "port", Integer.toString(place.port()));
            try {
                run.step(hop, words.text("hop.port.now"), () -> {
                    if (node.flag("online").filter(online -> !online).isPresent()) {
                        throw words.failure(Kind.CONNECT, place, "proxmox.offline", "node", name);
                    }
                    // Without an address of its own, all that is known is that this API answers for it.
                    Optional<String> ip = node.text("ip");
                    return ip.isEmpty() ? new Found<>(true, words.text("hop.node.through", "name", access.name()))
                            : straight(new Place(Service.PROXMOX, name, ip.get(), place.port()),
                                    Optional.ofNullable(pins.get(name)));
                });
            } catch (TroubleException e) {
                notes.add(words.text("note.node", "node", name));
            }
        }

        private Found<Boolean> straight(Place there, Optional<String> pin) throws TroubleException {
            InetAddress address = address(there);
            way.connect(address, there);
            return vouched(address, there, pin);
        }

        private Found<Boolean> vouched(InetAddress address, Place there, Optional<String> pin)
                throws TroubleException {
            if (pin.isEmpty()) {
                return new Found<>(true, words.text("hop.node.ok"));
            }
            TlsLook.Seen seen = new TlsLook(troubles, limits).look(address, there, new PinnedTrust(pin, clock));
            if (seen.refusal().isPresent()) {
                throw new TroubleException(seen.refusal().get());
            }
            return new Found<>(true, words.text("hop.node.vouched", "name", access.name()));
        }

        private InetAddress address(Place there) throws TroubleException {
            try {
                return InetAddress.getByName(there.socketHost());
            } catch (IOException e) {
                throw troubles.failure(e, there, limits.connect());
            }
        }
    }
}
