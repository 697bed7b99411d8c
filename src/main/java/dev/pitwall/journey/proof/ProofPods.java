package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.PodRun.Pause;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The two pods that prove a card: one lists the cards that it was given, one computes on them. Both go the way of every
 * pod: through admission and the scheduler, to the node by its host name label, with nothing but a limit to ask for the
 * card. They are what a restricted namespace takes (facts: cluster.md 7.2).
 */
final class ProofPods {
    /** Label and annotation: the card that a pod is for. */
    static final String CARD = "pitwall.dev/card";
    /** Label: which of the pods it is. */
    static final String PROOF = "pitwall.dev/proof";
    /** Annotations: the node's boot and driver that it proves. */
    static final String BOOT = "pitwall.dev/boot";
    static final String DRIVER = "pitwall.dev/driver";
    static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    static final String PITWALL = "pitwall";
    private static final int USER = 1000;

    /** What a pod does. */
    enum Kind {
        /** Lists the cards that the pod was given. */
        DEVICES("nvidia-smi"),
        /** Adds two vectors on each card. */
        CUDA("vectoradd");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** In names and labels. */
        String word() {
            return word;
        }
    }

    /**
     * How a card is asked for.
     *
     * @param cards how many the pods ask for: several where only all free ones of a node are sure to have this one
     * @param marks what tells the card among them in the list of cards
     */
    record Ask(String namespace, String image, String resource, int cards, String marks, List<Pause> pauses) {
        Ask {
            pauses = List.copyOf(pauses);
        }
    }

    private final ProofData data;

    ProofPods(ProofData data) {
        this.data = data;
    }

    static boolean isProof(JsonNode pod) {
        JsonNode labels = pod.at("/metadata/labels");
        return labels.path(MANAGED_BY).asText().equals(PITWALL) && labels.has(PROOF);
    }

    /** In the order in which they are run. */
    List<PodRun> runs(Situation s, CardNode node, Ask ask, Instant at) {
        return Stream.of(Kind.values()).map(kind -> run(s, node, ask, kind, at)).toList();
    }

    private PodRun run(Situation s, CardNode node, Ask ask, Kind kind, Instant at) {
        ObjectRef pod = new ObjectRef(ObjectType.POD, ask.namespace(), name(s, kind, at));
        String what = switch (kind) {
            case DEVICES -> "lists the cards it was given, on " + node.name();
            case CUDA -> "computes on " + (ask.cards() == 1 ? "the card" : "each of " + ask.cards() + " cards")
                    + ", on " + node.name();
        };
        String expects = switch (kind) {
            case DEVICES -> ask.marks();
            case CUDA -> data.passed();
        };
        return new PodRun(node.cluster().name(), pod, manifest(s, node, ask, kind, pod), s.card().id(), expects,
                ask.pauses(), ProofData.seconds(data.usual()),
                ProofData.seconds(ask.pauses().isEmpty() ? data.limit() : data.pauseLimit()), what);
    }

    /** No two looks give the same name, so that no run meets the pod of another one. */
    private static String name(Situation s, Kind kind, Instant at) {
        return "pitwall-" + kind.word() + "-" + CardName.of(s.card()) + "-"
                + Long.toString(at.toEpochMilli(), Character.MAX_RADIX).toLowerCase(Locale.ROOT);
    }

    private JsonNode manifest(Situation s, CardNode node, Ask ask, Kind kind, ObjectRef ref) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata").put("name", ref.name()).put("namespace", ref.namespace());
        metadata.putObject("labels").put(MANAGED_BY, PITWALL).put("app.kubernetes.io/name", "pitwall-proof")
                .put(CARD, CardName.of(s.card())).put(PROOF, kind.word());
        metadata.putObject("annotations").put(CARD, s.card().id()).put(BOOT, node.boot()).put(DRIVER, node.driver());
        ObjectNode spec = pod.putObject("spec").put("restartPolicy", "Never")
                .put("activeDeadlineSeconds", data.deadline()).put("terminationGracePeriodSeconds", 5)
                .put("automountServiceAccountToken", false).put("enableServiceLinks", false);
        RuntimeNeed.of(s, node).ifPresent(name -> spec.put("runtimeClassName", name));
        spec.putObject("nodeSelector").put("kubernetes.io/hostname", node.hostname());
        spec.set("tolerations", Tolerations.of(node));
        spec.putObject("securityContext").put("runAsNonRoot", true).put("runAsUser", USER).put("runAsGroup", USER)
                .putObject("seccompProfile").put("type", "RuntimeDefault");
        containers(spec.putArray("containers"), node, ask, kind);
        return pod;
    }

    /** One container would compute on the first of its cards alone, so each card has one of its own. */
    private void containers(ArrayNode containers, CardNode node, Ask ask, Kind kind) {
        int number = kind == Kind.CUDA ? ask.cards() : 1;
        PodLimits limits = new PodLimits(node.cluster().all(ObjectType.LIMIT_RANGE).stream()
                .filter(r -> r.at("/metadata/namespace").asText().equals(ask.namespace())).toList());
        for (int i = 1; i <= number; i++) {
            ObjectNode container = containers.addObject()
                    .put("name", number == 1 ? kind.word() : kind.word() + "-" + i).put("image", ask.image());
            if (kind == Kind.DEVICES) {
                container.putArray("command").add("nvidia-smi")
                        .add("--query-gpu=gpu_bus_id,gpu_uuid,name,driver_version").add("--format=csv,noheader");
            }
            container.set("resources", limits.resources(data.container(), ask.resource(),
                    kind == Kind.CUDA ? 1 : ask.cards()));
            ObjectNode security = container.putObject("securityContext").put("allowPrivilegeEscalation", false);
            security.putObject("capabilities").putArray("drop").add("ALL");
        }
    }
}
