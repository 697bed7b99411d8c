package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.site.Together;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The logs of containers that are not well, and of their run before: of pods of the stack, and of pods that use a card. On a node
 * that has no card to give, the device plugin's log counts as well, which says why without ever failing.
 */
final class PodLogs {
    private static final int LINES = 2_000;
    private static final int MOST = 80;
    private static final Pattern TELLING = Pattern.compile("device-plugin|container-toolkit|nvidia-driver|dcgm-exporter");
    /** States that come by themselves and have printed nothing yet. */
    private static final Set<String> BEGINNING = Set.of("PodInitializing", "ContainerCreating");

    private final Cluster cluster;
    private final Gathered found;
    private final Places places;
    private final Set<String> stack;

    /** @param stack namespaces of the stack */
    PodLogs(Cluster cluster, Gathered found, Places places, Set<String> stack) {
        this.cluster = cluster;
        this.found = found;
        this.places = places;
        this.stack = stack;
    }

    private record Wanted(JsonNode pod, String container, boolean before) {
    }

    void read(Collection<JsonNode> pods, List<JsonNode> nodes) throws TroubleException, InterruptedException {
        Set<String> bare = new HashSet<>();
        nodes.stream().filter(PodLogs::givesNoCard).map(node -> node.at("/metadata/name").asText()).forEach(bare::add);
        List<Wanted> wanted = pods.stream().filter(this::matters).flatMap(pod -> containers(pod, bare)).limit(MOST).toList();
        Together.all(wanted.stream().<Callable<Boolean>>map(one -> () -> {
            found.trying(() -> read(one));
            return true;
        }).toList());
    }

    private static boolean givesNoCard(JsonNode node) {
        JsonNode capacity = node.at("/status/capacity/nvidia.com~1gpu");
        JsonNode free = node.at("/status/allocatable/nvidia.com~1gpu");
        return capacity.isMissingNode() || capacity.asInt() == 0 || free.asInt() < capacity.asInt();
    }

    private boolean matters(JsonNode pod) {
        return stack.contains(pod.at("/metadata/namespace").asText()) || usesCard(pod);
    }

    private static boolean usesCard(JsonNode pod) {
        return pod.at("/spec/runtimeClassName").asText().startsWith("nvidia") || Stream.of("/spec/containers", "/spec/initContainers")
                .flatMap(part -> pod.at(part).valueStream()).anyMatch(c -> c.at("/resources/limits").properties().stream()
                        .anyMatch(r -> r.getKey().startsWith("nvidia.com/"))
                        || c.path("env").valueStream().anyMatch(e -> e.path("name").asText().equals("NVIDIA_VISIBLE_DEVICES")));
    }

    private static Stream<Wanted> containers(JsonNode pod, Set<String> bare) {
        List<Wanted> wanted = new ArrayList<>();
        boolean asked = bare.contains(pod.at("/spec/nodeName").asText())
                && TELLING.matcher(pod.at("/metadata/name").asText()).find();
        Stream.of("/status/initContainerStatuses", "/status/containerStatuses").flatMap(part -> pod.at(part).valueStream())
                .forEach(status -> {
                    boolean unwell = unwell(status);
                    if (unwell || asked && started(status)) {
                        wanted.add(new Wanted(pod, status.path("name").asText(), false));
                    }
                    if (unwell && status.path("restartCount").asInt() > 0) {
                        wanted.add(new Wanted(pod, status.path("name").asText(), true));
                    }
                });
        return wanted.stream();
    }

    private static boolean started(JsonNode status) {
        return status.at("/state/running").isObject() || status.at("/state/terminated").isObject();
    }

    private static boolean unwell(JsonNode status) {
        JsonNode state = status.path("state");
        boolean waits = state.has("waiting") && !BEGINNING.contains(state.at("/waiting/reason").asText());
        boolean ended = state.has("terminated") && state.at("/terminated/exitCode").asInt() != 0;
        boolean unready = state.has("running") && !status.path("ready").asBoolean();
        return waits || ended || unready || status.path("restartCount").asInt() > 0;
    }

    private void read(Wanted wanted) throws TroubleException, InterruptedException {
        ObjectRef pod = new ObjectRef(ObjectType.POD, wanted.pod().at("/metadata/namespace").asText(),
                wanted.pod().at("/metadata/name").asText());
        Optional<String> log = wanted.before() ? cluster.logBefore(pod, wanted.container(), LINES) : now(pod, wanted);
        log.filter(text -> !text.isBlank()).ifPresent(text -> found.add(Document.text("kubectl logs -n " + pod.namespace()
                + " " + pod.name() + " -c " + wanted.container() + (wanted.before() ? " --previous" : ""), Hint.POD_LOG,
                about(wanted.pod(), pod), text)));
    }

    /** A container that has never run has no log, which its status says better. */
    private Optional<String> now(ObjectRef pod, Wanted wanted) throws TroubleException, InterruptedException {
        try {
            return Optional.of(cluster.log(pod, wanted.container(), LINES));
        } catch (TroubleException e) {
            if (e.trouble().kind().unreachable()) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private About about(JsonNode pod, ObjectRef name) {
        About node = Optional.of(pod.at("/spec/nodeName").asText("")).filter(n -> !n.isEmpty()).map(places::node)
                .orElse(About.NOTHING);
        return new About(node.component(), node.node(), node.card(), name.namespace() + "/" + name.name());
    }
}
