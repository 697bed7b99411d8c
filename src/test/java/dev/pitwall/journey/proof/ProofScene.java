package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.operator.PaperCluster;
import dev.pitwall.journey.operator.PaperHelm;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.ClusterSurvey.Charts;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.Proof;
import dev.pitwall.journey.survey.ProofSurvey;
import dev.pitwall.journey.survey.ProofSurvey.Answered;
import dev.pitwall.journey.survey.ProofSurvey.Tried;
import dev.pitwall.read.KernelCommandLine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** A card of machine {@code worker-1}, a node that offers it, and nobody has it: what tests change one thing of. */
final class ProofScene {
    static final Instant NOW = Instant.parse("2026-09-01T10:00:00Z");
    static final ObjectRef SERVICE = new ObjectRef(ObjectType.SERVICE, "llm", "ollama-a");
    private static final List<Step> STEPS = ProofSteps.all();

    final PaperCluster cluster = new PaperCluster();
    final Map<String, String> choices = new TreeMap<>();
    final List<Proof> proofs = new ArrayList<>();
    final Map<String, Tried> tried = new LinkedHashMap<>();
    final Map<ObjectRef, Answered> answers = new HashMap<>();
    final Map<String, Trouble> unread = new HashMap<>();
    final Map<String, Charts> charts = new HashMap<>();
    List<String> slots = List.of("0000:01:00.0");
    boolean hasCluster = true;

    ProofScene() {
        cluster.with(ObjectType.NODE, """
                metadata: {name: worker-1, labels: {kubernetes.io/hostname: worker-1.lan, nvidia.com/gpu.count: "1", nvidia.com/gpu.memory: "8188", nvidia.com/gpu.replicas: "1", nvidia.com/cuda.driver-version.full: 570.133.20, nvidia.com/cuda.runtime-version.full: "12.8"}}
                spec: {taints: [{key: nvidia.com/gpu, value: "true", effect: NoSchedule}, {key: dedicated, value: gpu, effect: NoExecute}]}
                status: {nodeInfo: {bootID: boot-1}, conditions: [{type: Ready, status: "True"}], capacity: {nvidia.com/gpu: "1"}, allocatable: {nvidia.com/gpu: "1"}}
                """);
        cluster.with(ObjectType.NAMESPACE, "{metadata: {name: default}}", "{metadata: {name: llm}}");
        cluster.with(ObjectType.CLUSTER_POLICY, "{metadata: {name: cluster-policy}}");
        cluster.with(ObjectType.STORAGE_CLASS, """
                {metadata: {name: local-path, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}}
                """);
        charts.put("ollama", new Charts("https://charts.example", List.of("1.77.0"),
                new PaperHelm().chart("https://charts.example", "ollama", "1.77.0")));
    }

    ProofScene choose(String key, String value) {
        choices.put(key, value);
        return this;
    }

    ObjectNode node() {
        return (ObjectNode) cluster.objects.get(ObjectType.NODE).getFirst();
    }

    ProofScene label(String key, String value) {
        node().withObjectProperty("metadata").withObjectProperty("labels").put(key, value);
        return this;
    }

    /** @param number text for none */
    ProofScene offers(String resource, String number) {
        ObjectNode status = node().withObjectProperty("status");
        status.putObject("capacity");
        status.putObject("allocatable");
        if (!number.isEmpty()) {
            status.withObjectProperty("capacity").put(resource, number);
            status.withObjectProperty("allocatable").put(resource, number);
        }
        return this;
    }

    /** A pod of a Deployment of namespace llm that has the card. */
    ProofScene held(String deployment, String image) {
        cluster.with(ObjectType.POD, """
                metadata: {name: %s-5d4f-x2x2x, namespace: llm, labels: {app: %s, pod-template-hash: 5d4f}, ownerReferences: [{kind: ReplicaSet, name: %s-5d4f, controller: true}]}
                spec: {nodeName: worker-1, containers: [{name: c, image: "%s", resources: {limits: {nvidia.com/gpu: "1"}}}]}
                status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
                """.formatted(deployment, deployment, deployment, image));
        cluster.with(ObjectType.DEPLOYMENT, "{metadata: {name: " + deployment + ", namespace: llm}, spec: {replicas: 1}}");
        return this;
    }

    /** An Ollama of others on the card. */
    ProofScene server() {
        held("ollama-a", "ollama/ollama:0.33.0");
        cluster.with(ObjectType.SERVICE, """
                {metadata: {name: ollama-a, namespace: llm}, spec: {selector: {app: ollama-a}, ports: [{port: 11434}]}}
                """);
        return this;
    }

    ProofScene answers(String... models) {
        answers.put(SERVICE, new Answered.Well(new ServerReport("ollama-a", "ollama", Optional.of("0.33.0"), List.of(),
                List.of(models).stream().map(m -> new ServerReport.InstalledModel(m, OptionalLong.empty(),
                        Optional.empty())).toList())));
        return this;
    }

    ProofScene proved(Proof.Result result, String boot, String driver) {
        for (ProofPods.Kind kind : ProofPods.Kind.values()) {
            proofs.add(new Proof(7, kind.word(), result, NOW.minusSeconds(720), Duration.ofSeconds(8), boot, driver,
                    "Test PASSED in 8 s"));
        }
        return this;
    }

    Situation situation() {
        List<PciFunction> functions = slots.stream().map(slot -> new PciFunction(PciAddress.parse(slot).orElseThrow(),
                Optional.of("0300"), Optional.empty(), Optional.of("10de"), Optional.of("25b0"), Optional.empty(),
                Optional.empty(), Optional.empty(), List.of(), OptionalInt.empty(), Optional.empty())).toList();
        HostSurvey machine = new HostSurvey("worker-1", Optional.empty(), "6.8.0", "boot", 1000, "GenuineIntel", true, "",
                new KernelCommandLine(KernelCommandLine.Loader.GRUB, List.of(), List.of()),
                KernelCommandLine.Loader.GRUB, List.of(), List.of(), Map.of(), functions, Map.of(), Map.of(), List.of(),
                Map.of(), new TreeMap<>(), List.of(), List.of(), List.of(), Map.of());
        Situation below = new Situation(new Situation.Subject("worker-1/0000:01:00", "RTX A1000", "worker-1",
                PciAddress.parse("0000:01:00").orElseThrow()), Choices.of(choices), machine, Optional.empty(),
                Optional.empty(), Map.of("uuid", "worker-1"));
        if (!hasCluster) {
            return below;
        }
        Map<ObjectType, List<JsonNode>> objects = new HashMap<>(cluster.objects);
        ClusterSurvey survey = new ClusterSurvey("paper", "v1.33.5", ClusterSurvey.Distribution.RKE2, objects, List.of(),
                charts, unread, Set.of(), Map.of());
        return below.with(Optional.of(survey), Optional.empty()).with(new ProofSurvey(NOW, proofs, tried, answers));
    }

    Answer look(String step) {
        return STEPS.stream().filter(s -> s.id().equals(step)).findFirst().orElseThrow().look(situation());
    }
}
