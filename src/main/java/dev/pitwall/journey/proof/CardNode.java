package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.read.Quantity;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * The node that has the card, as the cluster shows it. Labels and resources: GPU Operator v26, GPU Feature Discovery
 * v0.20 (facts: cluster.md 1.3, 2, gfd-labels.csv).
 */
final class CardNode {
    static final String CARD = "nvidia.com/gpu";
    private static final String SHARED = "nvidia.com/gpu.shared";
    private static final String MIG = "nvidia.com/mig-";
    /** The kubelet and the node controller put these there for as long as something is wrong with the node. */
    private static final String CONDITION = "node.kubernetes.io/";
    private static final Set<String> EFFECTS = Set.of("NoSchedule", "NoExecute");

    private final Situation situation;
    private final ClusterSurvey cluster;
    private final JsonNode node;

    private CardNode(Situation situation, ClusterSurvey cluster, JsonNode node) {
        this.situation = situation;
        this.cluster = cluster;
        this.node = node;
    }

    /** Empty while the card's VM or machine is no node of the cluster. */
    static Optional<CardNode> of(Situation s) {
        return s.cluster().flatMap(c -> s.nodeName().flatMap(name -> c.one(ObjectType.NODE, "", name))
                .map(node -> new CardNode(s, c, node)));
    }

    ClusterSurvey cluster() {
        return cluster;
    }

    String name() {
        return node.at("/metadata/name").asText();
    }

    /** What pods are pinned by: it is not always the node's name. */
    String hostname() {
        return label("kubernetes.io/hostname").orElse(name());
    }

    Optional<String> label(String key) {
        return Optional.ofNullable(node.at("/metadata/labels").get(key)).map(JsonNode::asText)
                .filter(value -> !value.isEmpty());
    }

    boolean ready() {
        return StreamSupport.stream(node.at("/status/conditions").spliterator(), false)
                .anyMatch(c -> c.path("type").asText().equals("Ready") && c.path("status").asText().equals("True"));
    }

    boolean cordoned() {
        return node.at("/spec/unschedulable").asBoolean(false);
    }

    /** Of this start of the node's system. */
    String boot() {
        return node.at("/status/nodeInfo/bootID").asText("");
    }

    /** Version of the driver, as GPU Feature Discovery tells it. */
    String driver() {
        return label("nvidia.com/cuda.driver-version.full").orElseGet(() -> joined("nvidia.com/cuda.driver."));
    }

    private String joined(String prefix) {
        String three = String.join(".", label(prefix + "major").orElse(""), label(prefix + "minor").orElse(""),
                label(prefix + "rev").orElse(""));
        return three.replaceAll("^\\.+|\\.+$", "");
    }

    /** The newest CUDA that the driver runs. */
    Optional<Cuda> cuda() {
        return label("nvidia.com/cuda.runtime-version.full").flatMap(Cuda::parse);
    }

    /** Memory of one of its cards; empty where GPU Feature Discovery does not tell. */
    OptionalLong memoryMiB() {
        return label("nvidia.com/gpu.memory").filter(v -> v.matches("\\d{1,9}"))
                .map(v -> OptionalLong.of(Long.parseLong(v))).orElse(OptionalLong.empty());
    }

    /** The name under which the node's cards can be asked for now; empty while none is offered. */
    Optional<String> offered() {
        List<String> names = node.at("/status/allocatable").propertyStream().map(field -> field.getKey())
                .filter(CardNode::isCard).filter(name -> allocatable(name) > 0).sorted().toList();
        // After a change of names the old one stays with 0 until the kubelet restarts.
        return names.stream().filter(SHARED::equals).findFirst().or(() -> names.stream().filter(CARD::equals).findFirst())
                .or(() -> names.stream().findFirst());
    }

    private static boolean isCard(String resource) {
        return resource.equals(CARD) || resource.equals(SHARED) || resource.startsWith(MIG);
    }

    /** True if a plugin has registered the node's cards, whatever became of them. */
    boolean registered() {
        return node.at("/status/capacity").propertyStream().anyMatch(field -> isCard(field.getKey()));
    }

    long allocatable(String resource) {
        return count(node.at("/status/allocatable").path(resource));
    }

    long capacity(String resource) {
        return count(node.at("/status/capacity").path(resource));
    }

    private static long count(JsonNode quantity) {
        return Quantity.of(quantity.asText("")).map(BigDecimal::longValue).orElse(0L);
    }

    /** True if several pods share one card, or a part of one is asked for: then a pod cannot be given all of it. */
    boolean shares(String resource) {
        return !resource.equals(CARD) || label("nvidia.com/gpu.replicas").filter(r -> !r.equals("1") && !r.equals("0"))
                .isPresent() || label("nvidia.com/gpu.sharing-strategy").filter(s -> !s.equals("none")).isPresent();
    }

    /** How many cards the node has or is to have; of a VM that is not told yet, this one. */
    int cards() {
        Optional<Integer> told = label("nvidia.com/gpu.count").filter(v -> v.matches("\\d{1,4}")).map(Integer::valueOf);
        long inMachine = situation.host().functions().stream().filter(PciFunction::isNvidiaGpu).count();
        return told.orElseGet(() -> bare() ? Math.max(1, (int) inMachine) : 1);
    }

    /** True if the node is the machine in whose slot the card sits: it numbers the card as the machine does. */
    boolean bare() {
        return situation.host().proxmox().isEmpty();
    }

    /** The taints that keep pods away for good, in the node's order. */
    List<JsonNode> taints() {
        return StreamSupport.stream(node.at("/spec/taints").spliterator(), false)
                .filter(taint -> EFFECTS.contains(taint.path("effect").asText()))
                .filter(taint -> !taint.path("key").asText().startsWith(CONDITION)).toList();
    }

    /** What is wrong with the node now, by the taints that say so. */
    List<String> conditions() {
        return StreamSupport.stream(node.at("/spec/taints").spliterator(), false).map(t -> t.path("key").asText())
                .filter(key -> key.startsWith(CONDITION) && !key.equals("node.kubernetes.io/unschedulable")).distinct()
                .toList();
    }
}
