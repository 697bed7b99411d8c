package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pitwall.card.HostReport;
import dev.pitwall.card.HostReport.PciMapping;
import dev.pitwall.card.ProxmoxReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.read.PropertyText;
import dev.pitwall.site.Probe;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.Together;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Reads every node one Proxmox API sees and no other access of the site reads. A node that is off, unreachable or closed to the caller is reported as silent
 * and does not fail the others; the read fails only if none answered.
 */
public final class ProxmoxProbe implements Probe<ProxmoxReport> {
    private final Opening opening;
    private final InstantSource clock;
    private final NodeDuty duty;
    private final Map<String, NodeReader> nodes = new TreeMap<>();
    private Membership membership = new Membership(List.of(), "", "");
    private Optional<ProxmoxConnection> open = Optional.empty();

    /**
     * @param duty         shared with the other accesses of the site
     * @param secrets      asked for the secret at sign-in only
     * @param secondFactor asked at sign-in if the user has one
     */
    public ProxmoxProbe(NodeDuty duty, ProxmoxAccess access, Secrets secrets, SecondFactor secondFactor,
                        InstantSource clock, Limits limits, NetworkTrouble troubles) {
        this(() -> new ProxmoxConnection(access, Typed.stored(access, secrets, troubles), secondFactor, clock, limits,
                troubles), clock, duty);
    }

    ProxmoxProbe(Opening opening, InstantSource clock, NodeDuty duty) {
        this.duty = duty;
        this.opening = opening;
        this.clock = clock;
    }

    /** Makes the connection at the first read, since an address can be wrong. */
    @FunctionalInterface
    interface Opening {
        ProxmoxConnection open() throws TroubleException;
    }

    private sealed interface NodeAnswer {
        record Answered(HostReport report) implements NodeAnswer {
        }

        record Silent(String node, TroubleException trouble) implements NodeAnswer {
        }
    }

    /**
     * What the API told of its cluster.
     *
     * @param nodes   all names, as they were when it was asked
     * @param cluster empty for a host on its own, or where the caller may not ask
     * @param self    the node this API runs on
     */
    private record Membership(List<String> nodes, String cluster, String self) {
    }

    @Override
    public ProxmoxReport read() throws TroubleException, InterruptedException {
        try {
            return readAll();
        } catch (TroubleException e) {
            duty.release(this);
            throw e;
        }
    }

    private ProxmoxReport readAll() throws TroubleException, InterruptedException {
        ProxmoxConnection connection = connection();
        JsonNode list = connection.api().get("nodes");
        membership(connection, list);
        Map<String, Map<String, List<PciMapping>>> mappings = mappings(connection);
        List<Callable<NodeAnswer>> questions = new ArrayList<>();
        for (JsonNode row : list) {
            Fields node = new Fields(row);
            String name = node.text("node").orElse("");
            if (!onDuty(name)) {
                continue;
            }
            boolean offline = node.text("status").filter("offline"::equals).isPresent();
            NodeReader reader = reader(connection, name);
            questions.add(() -> offline ? offline(connection, name) : read(name, reader, mappings.getOrDefault(name, Map.of())));
        }
        return questions.isEmpty() && !list.isEmpty() ? new ProxmoxReport(List.of(), Map.of())
                : report(connection, Together.all(questions));
    }

    /** Asked again only when nodes have come or gone. */
    private void membership(ProxmoxConnection connection, JsonNode list) throws TroubleException, InterruptedException {
        List<String> names = list.valueStream().map(row -> row.path("node").asText()).sorted().toList();
        if (names.size() < 2 || names.equals(membership.nodes())) {
            return;
        }
        JsonNode status = connection.api().ifThere("cluster/status").orElseGet(MissingNode::getInstance);
        String cluster = "";
        String self = "";
        for (JsonNode entry : status) {
            if (entry.path("type").asText().equals("cluster")) {
                cluster = entry.path("name").asText();
            } else if (entry.path("local").asInt() == 1) {
                self = entry.path("name").asText();
            }
        }
        membership = new Membership(names, cluster, self);
    }

    private boolean onDuty(String node) {
        if (membership.cluster().isEmpty() || membership.self().isEmpty()) {
            return true;
        }
        String unique = membership.cluster() + " of " + membership.nodes() + ": " + node;
        return duty.take(unique, this, node.equals(membership.self()) ? NodeDuty.Way.DIRECT
                : NodeDuty.Way.THROUGH_ANOTHER, clock.instant());
    }

    private synchronized ProxmoxConnection connection() throws TroubleException {
        if (open.isEmpty()) {
            open = Optional.of(opening.open());
        }
        return open.get();
    }

    private synchronized NodeReader reader(ProxmoxConnection connection, String node) {
        return nodes.computeIfAbsent(node, name -> new NodeReader(connection.api(), name, clock));
    }

    private static NodeAnswer read(String name, NodeReader reader, Map<String, List<PciMapping>> mappings)
            throws InterruptedException {
        try {
            return new NodeAnswer.Answered(reader.read(mappings));
        } catch (TroubleException e) {
            return new NodeAnswer.Silent(name, e);
        }
    }

    /** Asking for an offline node would only wait for pveproxy's own time limit of 30 s. */
    private static NodeAnswer offline(ProxmoxConnection connection, String name) {
        Trouble trouble = connection.words().troubleBehind(Kind.CONNECT, connection.api().place(),
                connection.api().behind(name), "proxmox.offline", "node", name);
        return new NodeAnswer.Silent(name, new TroubleException(trouble));
    }

    private static ProxmoxReport report(ProxmoxConnection connection, List<NodeAnswer> answers)
            throws TroubleException {
        List<HostReport> hosts = new ArrayList<>();
        Map<String, TroubleException> silent = new TreeMap<>();
        for (NodeAnswer answer : answers) {
            switch (answer) {
                case NodeAnswer.Answered(HostReport host) -> hosts.add(host);
                case NodeAnswer.Silent(String node, TroubleException trouble) -> silent.put(node, trouble);
            }
        }
        if (hosts.isEmpty()) {
            throw silent.isEmpty() ? connection.words().failure(Kind.MISSING, connection.api().place(), "proxmox.empty")
                    : silent.values().iterator().next();
        }
        Map<String, Trouble> troubles = new TreeMap<>();
        silent.forEach((node, trouble) -> troubles.put(node, trouble.trouble()));
        return new ProxmoxReport(hosts, troubles);
    }

    /** By node, then by mapping. Proxmox 7 has no mappings, and not every caller may see them (facts 1.10). */
    private static Map<String, Map<String, List<PciMapping>>> mappings(ProxmoxConnection connection)
            throws TroubleException, InterruptedException {
        Map<String, Map<String, List<PciMapping>>> byNode = new TreeMap<>();
        connection.api().ifThere("cluster/mapping/pci").ifPresent(list -> list.forEach(mapping -> {
            String id = mapping.path("id").asText();
            mapping.path("map").forEach(text -> {
                PropertyText.NodeMapping entry = PropertyText.mapping(text.asText());
                byNode.computeIfAbsent(entry.node(), n -> new TreeMap<>())
                        .computeIfAbsent(id, i -> new ArrayList<>()).add(entry.entry());
            });
        }));
        return byNode;
    }

    @Override
    public synchronized void close() {
        duty.release(this);
        open.ifPresent(ProxmoxConnection::close);
    }
}
