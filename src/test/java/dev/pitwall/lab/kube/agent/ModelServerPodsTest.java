package dev.pitwall.lab.kube.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.world.LabModelServer;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ModelServerPodsTest {
    private static final String CARD = "GPU-5f3c2a91-7b0d-4e86-a1c4-2d9be07f6a11";
    private static final String NODE = "rke2-worker-dc1-gpu-a";
    private AgentLab lab;
    private ModelServerPods pods;
    private Program program;

    @BeforeEach
    void start() throws Exception {
        lab = new AgentLab("garage");
        pods = new ModelServerPods(lab.world, lab.store, lab.clock, AgentLab.NOW,
                name -> Optional.of(URI.create("http://127.0.0.1:1/" + name)));
        program = new AgentPrograms(lab.world, lab.hand, pods, Optional::empty).find("ollama/ollama:0.33.0", AgentLab.yaml("{}"),
                AgentLab.yaml("{}")).orElseThrow();
    }

    private FakeRun run(String deployment, String suffix, List<String> cards) {
        String pod = deployment + "-7d9f-" + suffix;
        lab.create(Resource.PODS, "llm", pod, "{metadata: {labels: {pod-template-hash: 7d9f}, ownerReferences: [{kind:"
                + " ReplicaSet, name: " + deployment + "-7d9f, uid: u, controller: true}]}, spec: {containers: [{name:"
                + " ollama, image: 'ollama/ollama:0.33.0', volumeMounts: [{name: d, mountPath: /root/.ollama}]}],"
                + " volumes: [{name: d, persistentVolumeClaim: {claimName: " + deployment + "}}]}}");
        return FakeRun.of(lab, "llm", pod, NODE, cards);
    }

    private LabModelServer server(String name) {
        return lab.world.servers.get(name);
    }

    @Test
    void serverOfTheSceneIsTakenOverWithWhatItHas() {
        FakeRun run = run("ollama-a", "a", List.of(CARD));
        int models = server("ollama-a").installed.size();
        assertThat(program.look(run, AgentLab.NOW)).isInstanceOf(Doing.Goes.class);
        assertThat(server("ollama-a").card).isEqualTo("pve1/0000:01:00");
        assertThat(server("ollama-a").installed).hasSize(models).isNotEmpty();
        assertThat(server("ollama-a").loaded).isNotEmpty();
        assertThat(program.backend(run, 11434)).contains(URI.create("http://127.0.0.1:1/ollama-a"));
        assertThat(program.backend(run, 80)).isEmpty();
    }

    @Test
    void newServerComesAndGoesWithItsPodAndItsDiskStaysWithTheClaim() {
        lab.create(Resource.VOLUME_CLAIMS, "llm", "mine", "{}");
        FakeRun first = run("mine", "a", List.of(CARD + "::2"));
        program.look(first, AgentLab.NOW);
        assertThat(server("mine").card).isEqualTo("pve1/0000:01:00");
        assertThat(server("mine").installed).isEmpty();
        lab.world.change(w -> w.servers.get("mine").installed.addAll(w.servers.get("ollama-b").installed));
        program.ended(first, AgentLab.NOW);
        assertThat(lab.world.servers).doesNotContainKey("mine");
        program.look(run("mine", "b", List.of(CARD)), AgentLab.NOW);
        assertThat(server("mine").installed).isEqualTo(server("ollama-b").installed);
    }

    @Test
    void serverWithoutADeviceWorksOnTheProcessor() {
        FakeRun run = run("plain", "a", List.of());
        program.look(run, AgentLab.NOW);
        assertThat(server("plain").card).isEmpty();
        assertThat(server("plain").up).isTrue();
        assertThat(program.log(run, AgentLab.NOW.plusSeconds(9))).extracting(LogSource.Line::text)
                .anyMatch(line -> line.contains("library=cpu"));
    }

    @Test
    void oldPodThatEndsAfterTheNewOneHasBegunTakesNothingAway() {
        FakeRun old = run("ollama-a", "a", List.of(CARD));
        program.look(old, AgentLab.NOW);
        program.look(run("ollama-a", "b", List.of(CARD)), AgentLab.NOW);
        program.ended(old, AgentLab.NOW);
        assertThat(lab.world.servers).containsKey("ollama-a");
    }

    @Test
    void serversThatNothingRunsAreGoneWhenThePresentBegins() {
        program.look(run("ollama-a", "a", List.of(CARD)), AgentLab.NOW);
        pods.act(AgentLab.NOW);
        assertThat(lab.world.servers).containsOnlyKeys("ollama-a");
    }

    @Test
    void notebookKeepsMemoryOfItsCardUntilItEnds() {
        Program jupyter = new AgentPrograms(lab.world, lab.hand, pods, Optional::empty).find(
                "ghcr.io/kubeflow/kubeflow/notebook-servers/jupyter-pytorch-cuda-full:v1.10.0",
                AgentLab.yaml("{}"), AgentLab.yaml("{}")).orElseThrow();
        FakeRun run = run("n", "a", List.of(CARD));
        jupyter.look(run, AgentLab.NOW);
        jupyter.look(run, AgentLab.NOW);
        long held = lab.world.cards.get("pve1/0000:01:00").otherMemoryMiB;
        assertThat(held).isPositive();
        jupyter.ended(run, AgentLab.NOW);
        assertThat(lab.world.cards.get("pve1/0000:01:00").otherMemoryMiB).isZero();
    }

    @Test
    void hookOfTheOperatorsChartBringsTheDefinitionsOfItsVersion() {
        Resource definitions = Resource.DEFINITIONS;
        lab.create(definitions, "", "clusterpolicies.nvidia.com", "{spec: {group: nvidia.com}}");
        lab.create(Resource.PODS, "gpu-operator", "hook", "{spec: {containers: [{name: upgrade-crd, image:"
                + " 'nvcr.io/nvidia/gpu-operator:v26.7.0', command: [/usr/bin/manage-crds], args: [apply,"
                + " --filepath=/opt/gpu-operator/nvidia.com_clusterpolicies.yaml,"
                + " --filepath=/opt/gpu-operator/nvidia.com_gpuclusters.yaml]}]}}");
        FakeRun run = FakeRun.of(lab, "gpu-operator", "hook", NODE, List.of());
        Program hook = new AgentPrograms(lab.world, lab.hand, pods, Optional::empty).find("nvcr.io/nvidia/gpu-operator:v26.7.0",
                AgentLab.yaml("{}"), run.container()).orElseThrow();
        assertThat(hook.look(run, AgentLab.NOW)).isInstanceOf(Doing.Goes.class);
        assertThat(hook.look(run, AgentLab.NOW.plusSeconds(10))).isInstanceOf(Doing.Ended.class);
        assertThat(lab.get(definitions, "", "clusterpolicies.nvidia.com").at("/spec/versions")).isNotEmpty();
        assertThat(lab.get(definitions, "", "gpuclusters.nvidia.com").at("/spec/names/kind").asText())
                .isEqualTo("GPUCluster");
        assertThat(lab.hand.find(new ObjectKey(definitions, "", "nvidiadrivers.nvidia.com"))).isEmpty();
    }

    @Test
    void imagesOfOthersAreNotKnown() {
        AgentPrograms programs = new AgentPrograms(lab.world, lab.hand, pods, Optional::empty);
        assertThat(programs.find("nginx:1", AgentLab.yaml("{}"), AgentLab.yaml("{}"))).isEmpty();
        assertThat(programs.find("ollama/ollama:1", AgentLab.yaml("{}"), AgentLab.yaml("{command: [sleep]}"))).isEmpty();
    }
}
