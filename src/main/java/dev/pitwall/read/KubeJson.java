package dev.pitwall.read;

import dev.pitwall.card.PodReport;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;

/** JSON of what a cluster and its charts say. */
final class KubeJson {

    void nodes(Out out, NodeListing listing) {
        out.list("nodes", listing.nodes(), KubeJson::node);
    }

    private static Out node(NodeFacts n) {
        NodeFacts.Info info = n.info();
        return new Out().text("name", n.name()).map("labels", n.labels())
                .list("taints", n.taints(), t -> new Out().text("key", t.key()).text("value", t.value()).text("effect", t.effect()))
                .amounts("capacity", n.capacity()).amounts("allocatable", n.allocatable())
                .list("conditions", n.conditions(), c -> new Out().text("type", c.type()).text("status", c.status())
                        .text("reason", c.reason()).text("message", c.message()))
                .flag("unschedulable", n.unschedulable()).text("systemUuid", info.systemUuid())
                .text("kernel", info.kernel()).text("osImage", info.osImage())
                .text("containerRuntime", info.containerRuntime()).text("kubeletVersion", info.kubeletVersion())
                .text("internalIp", info.internalIp()).amounts("allocated", n.allocated())
                .textsIfAny("pods", n.pods().orElse(List.of()));
    }

    void pods(Out out, PodListing listing) {
        out.list("pods", listing.pods(), KubeJson::pod);
    }

    private static Out pod(PodListing.Listed listed) {
        PodReport p = listed.pod();
        boolean given = listed.status() == PodListing.Status.GIVEN;
        Out gpus = new Out();
        new TreeMap<>(p.gpuRequests()).forEach(gpus::number);
        return new Out().text("namespace", present(p.namespace())).text("name", present(p.name()))
                .text("phase", Optional.of(p.phase()).filter(phase -> given)).text("reason", p.reason()).text("node", p.node())
                .object("gpuRequests", gpus).flag("holdsResources", Optional.of(p.holdsResources()).filter(held -> given))
                .flag("ready", Optional.of(p.ready()).filter(ready -> given))
                .flag("deleting", p.deleting()).text("owner", p.owner()).text("app", p.app())
                .text("targetNode", p.targetNode()).text("startedAt", p.startedAt()).text("scheduling", p.scheduling())
                .list("initContainers", containers(p.initContainers(), listed.initContainers()), out -> out)
                .list("containers", containers(p.containers(), listed.containers()), out -> out);
    }

    /** @param planned names of those that nothing is known about yet */
    private static List<Out> containers(List<PodReport.ContainerReport> known, List<String> planned) {
        return Stream.concat(known.stream().map(KubeJson::container), planned.stream().map(name -> new Out()
                .text("name", present(name)).absent("state").absent("ready").absent("restarts").absent("reason")
                .absent("message").absent("exitCode").absent("lastReason").absent("lastExitCode"))).toList();
    }

    private static Out container(PodReport.ContainerReport c) {
        return new Out().text("name", c.name()).text("state", c.state()).flag("ready", c.ready())
                .number("restarts", c.restarts()).text("reason", c.reason()).text("message", c.message())
                .number("exitCode", c.exitCode().map(OptionalInt::of).orElse(OptionalInt.empty()))
                .text("lastReason", c.lastReason())
                .number("lastExitCode", c.lastExitCode().map(OptionalInt::of).orElse(OptionalInt.empty()));
    }

    void podTable(Out out, PodTable table) {
        out.list("pods", table.pods(), p -> new Out().text("namespace", p.namespace()).text("name", p.name())
                .text("ready", p.ready()).text("status", p.status()).number("restarts", p.restarts())
                .text("age", p.age()).text("node", p.node()));
    }

    void events(Out out, EventListing listing) {
        out.list("events", listing.events(), e -> new Out().text("type", e.type()).text("reason", e.reason())
                .text("namespace", e.namespace()).text("object", e.object()).text("age", e.age()).text("from", e.from())
                .text("message", e.message()));
    }

    void values(Out out, HelmValues values) {
        out.text("chart", values.chart()).text("prefix", values.prefix()).map("settings", Optional.of(values.settings()))
                .list("sharing", values.sharing(), s -> {
                    Out one = new Out();
                    sharing(one, s);
                    return one;
                });
    }

    void sharing(Out out, SharingConfig config) {
        out.text("namespace", config.namespace()).text("name", config.name())
                .list("sections", config.sections(), s -> new Out().text("name", s.name()).text("strategy", s.strategy())
                        .flag("renameByDefault", s.renameByDefault())
                        .flag("failRequestsGreaterThanOne", s.failRequestsGreaterThanOne())
                        .text("migStrategy", s.migStrategy())
                        .list("resources", s.resources(), r -> new Out().text("name", r.name()).number("replicas", r.replicas()))
                        .textsIfAny("problems", s.problems()));
    }

    void release(Out out, HelmRelease release) {
        out.text("name", release.name()).text("namespace", release.namespace()).number("revision", release.revision())
                .text("status", release.status()).text("chart", release.chart()).text("chartVersion", release.chartVersion())
                .text("appVersion", release.appVersion()).text("lastDeployed", release.lastDeployed())
                .text("description", release.description()).map("settings", Optional.of(release.settings()));
    }

    void objects(Out out, KubeObjects objects) {
        out.list("objects", objects.objects(), o -> new Out().text("apiVersion", o.apiVersion()).text("kind", o.kind())
                .text("namespace", o.namespace()).text("name", o.name()));
    }

    private static Optional<String> present(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
