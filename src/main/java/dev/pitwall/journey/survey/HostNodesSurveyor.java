package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.read.PropertyText;
import dev.pitwall.site.Together;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/** Asks the site's cluster for its nodes, and for the pods of those that live on a host: two questions and one a node. */
public final class HostNodesSurveyor {
    private final InstantSource clock;

    public HostNodesSurveyor(InstantSource clock) {
        this.clock = clock;
    }

    /** @return empty for a site without a cluster; one that does not answer has its trouble in the survey */
    public Optional<HostNodes> survey(Systems systems, HostSurvey host) throws TroubleException, InterruptedException {
        return survey(systems, host.host(), host.guests().stream().map(Guest::config)
                .flatMap(config -> Optional.ofNullable(config.get("smbios1")).stream()).toList());
    }

    /**
     * As above, of some VMs.
     *
     * @param machine a node of its own, if the cluster has one of this name
     * @param smbios  {@code smbios1} of the VMs
     */
    public Optional<HostNodes> survey(Systems systems, String machine, List<String> smbios)
            throws TroubleException, InterruptedException {
        Optional<Cluster> cluster = systems.cluster();
        return cluster.isEmpty() ? Optional.empty() : Optional.of(read(cluster.get(), machine, smbios));
    }

    private HostNodes read(Cluster cluster, String machine, List<String> smbios) throws InterruptedException {
        List<JsonNode> nodes = List.of();
        try {
            nodes = cluster.list(ObjectType.NODE, "", "");
            return new HostNodes(clock.instant(), cluster.name(), nodes, pods(cluster, here(machine, smbios, nodes)), Optional.empty());
        } catch (TroubleException e) {
            return new HostNodes(clock.instant(), cluster.name(), nodes, List.of(), Optional.of(e.trouble()));
        }
    }

    /** Names of the nodes that are VMs of the host, or the host itself. */
    private static SortedSet<String> here(String machine, List<String> smbios, List<JsonNode> nodes) {
        SortedSet<String> here = new TreeSet<>();
        Map<String, String> names = NodeNames.byUuid(nodes);
        smbios.stream().flatMap(text -> PropertyText.smbiosUuid(text).stream())
                .flatMap(uuid -> Optional.ofNullable(names.get(uuid)).stream()).forEach(here::add);
        nodes.stream().map(NodeNames::of).filter(machine::equals).forEach(here::add);
        return here;
    }

    private static List<JsonNode> pods(Cluster cluster, SortedSet<String> nodes)
            throws TroubleException, InterruptedException {
        List<Callable<List<JsonNode>>> questions = nodes.stream().<Callable<List<JsonNode>>>map(node ->
                () -> cluster.picked(ObjectType.POD, "", "spec.nodeName=" + node)).toList();
        List<JsonNode> pods = new ArrayList<>();
        Together.all(questions).forEach(pods::addAll);
        return pods;
    }
}
