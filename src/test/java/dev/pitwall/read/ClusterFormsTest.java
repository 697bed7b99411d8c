package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.PodReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Nodes, pods, events, charts and containerd. The texts in the blocks are made up in Kubernetes' formats. */
class ClusterFormsTest {

    private static final String DESCRIBED = """
            Name:               gpu-a
            Roles:              worker
            Labels:             kubernetes.io/os=linux
                                nvidia.com/gpu.present=true
            Annotations:        nfd.node.kubernetes.io/master.version: v0.19
            CreationTimestamp:  Thu, 20 Aug 2026 10:00:00 +0000
            Taints:             nvidia.com/gpu=present:NoSchedule
                                dedicated:NoExecute
            Unschedulable:      true
            Conditions:
              Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason              Message
              ----             ------  -----------------                 ------------------                ------              -------
              MemoryPressure   False   Thu, 20 Aug 2026 10:00:00 +0000   Thu, 20 Aug 2026 10:00:00 +0000   KubeletHasSufficientMemory   kubelet has sufficient memory available
              Ready            True    Thu, 20 Aug 2026 10:00:00 +0000   Thu, 20 Aug 2026 10:00:00 +0000   KubeletReady        kubelet is posting ready status
            Addresses:
              InternalIP:  10.0.0.11
              Hostname:    gpu-a
            Capacity:
              cpu:             16
              memory:          65848Mi
              nvidia.com/gpu:  1
            Allocatable:
              cpu:             15900m
              nvidia.com/gpu:  0
            System Info:
              System UUID:                3C5D1F2A-1111-2222-3333-444455556666
              Kernel Version:             6.8.0-60-generic
              OS Image:                   Ubuntu 24.04.2 LTS
              Container Runtime Version:  containerd://2.1.4-k3s1
              Kubelet Version:            v1.33.5+rke2r1
            Non-terminated Pods:          (1 in total)
              Namespace                   Name                     CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age
              ---------                   ----                     ------------  ----------  ---------------  -------------  ---
              llm                         ollama-0                 0 (0%)        0 (0%)      0 (0%)           0 (0%)         5m
            Allocated resources:
              (Total limits may be over 100 percent, i.e., overcommitted.)
              Resource           Requests    Limits
              --------           --------    ------
              cpu                250m (1%)   0 (0%)
              nvidia.com/gpu     1           1
            Events:              <none>
            """;

    @Test
    void aDescribedNodeIsReadWhole() {
        JsonNode document = Samples.read(DESCRIBED);
        assertThat(document.path("kind").asText()).isEqualTo("describe-node");
        JsonNode node = document.path("nodes").get(0);
        assertThat(node.path("taints")).hasSize(2);
        assertThat(node.path("taints").get(0).path("value").asText()).isEqualTo("present");
        assertThat(node.path("taints").get(1).path("effect").asText()).isEqualTo("NoExecute");
        assertThat(node.path("capacity").path("nvidia.com/gpu").asInt()).isEqualTo(1);
        assertThat(node.path("allocatable").path("nvidia.com/gpu").asInt(-1)).isZero();
        assertThat(node.path("conditions").get(1).path("reason").asText()).isEqualTo("KubeletReady");
        assertThat(node.path("unschedulable").asBoolean()).isTrue();
        assertThat(node.path("systemUuid").asText()).isEqualTo("3c5d1f2a-1111-2222-3333-444455556666");
        assertThat(node.path("pods").get(0).asText()).isEqualTo("llm/ollama-0");
        assertThat(node.path("allocated").path("nvidia.com/gpu").asInt()).isEqualTo(1);
        assertThat(node.path("internalIp").asText()).isEqualTo("10.0.0.11");
    }

    @Test
    void theReportOfADescribedNodeHasExtendedResourcesOnly() {
        NodeReport report = new DescribeNodeReader().read(Text.whole(DESCRIBED)).nodes().getFirst().report();
        assertThat(report.capacity()).containsExactly(Map.entry("nvidia.com/gpu", 1L));
        assertThat(report.allocatable()).containsEntry("nvidia.com/gpu", 0L);
    }

    @Test
    void zeroDevicesAndNoDevicesDiffer() {
        JsonNode zero = Samples.read("{\"kind\":\"Node\",\"metadata\":{\"name\":\"a\"},\"status\":{\"capacity\":{\"cpu\":\"4\",\"nvidia.com/gpu\":\"0\"}}}");
        JsonNode none = Samples.read("{\"kind\":\"Node\",\"metadata\":{\"name\":\"a\"},\"status\":{\"capacity\":{\"cpu\":\"4\"}}}");
        assertThat(zero.path("nodes").get(0).path("capacity").path("nvidia.com/gpu").asInt(-1)).isZero();
        assertThat(none.path("nodes").get(0).path("capacity").has("nvidia.com/gpu")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]} | 1",
            "{containers: [{resources: {limits: {nvidia.com/gpu: '1'}, requests: {nvidia.com/gpu: '2'}}}]} | 2",
            "{containers: [{resources: {requests: {nvidia.com/gpu: '1'}}}, {resources: {requests: {nvidia.com/gpu: '2'}}}]} | 3",
            "{initContainers: [{resources: {requests: {nvidia.com/gpu: '4'}}}], containers: [{resources: {requests: {nvidia.com/gpu: '1'}}}]} | 4",
            "{initContainers: [{restartPolicy: Always, resources: {requests: {nvidia.com/gpu: '1'}}}], containers: [{resources: {requests: {nvidia.com/gpu: '1'}}}]} | 2",
            "{initContainers: [{restartPolicy: Always, resources: {requests: {nvidia.com/gpu: '1'}}}, {resources: {requests: {nvidia.com/gpu: '3'}}}], containers: [{resources: {requests: {nvidia.com/gpu: '1'}}}]} | 4",
            "{initContainers: [{resources: {requests: {nvidia.com/gpu: '3'}}}, {restartPolicy: Always, resources: {requests: {nvidia.com/gpu: '1'}}}], containers: []} | 3",
            "{containers: [{resources: {requests: {nvidia.com/gpu: 1k}}}]} | 1000",
    })
    void gpusAreCountedAsTheSchedulerCountsThem(String spec, long gpus) {
        JsonNode document = Samples.read("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: n}\nspec: " + spec + "\n");
        assertThat(document.path("pods").get(0).path("gpuRequests").path("nvidia.com/gpu").asLong()).isEqualTo(gpus);
    }

    @Test
    void aListOfPodsIsReadAndAPodInWhichTheTextStopsIsLeftOut() {
        String list = """
                {"apiVersion":"v1","kind":"List","items":[
                 {"kind":"Pod","metadata":{"name":"a","namespace":"llm","uid":"u1","managedFields":[{"f:x":{}}],
                   "ownerReferences":[{"kind":"StatefulSet","name":"a","controller":true}]},
                  "spec":{"nodeName":"gpu-a","containers":[{"name":"c","resources":{"limits":{"nvidia.com/gpu.shared":"1"}}}]},
                  "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],
                   "containerStatuses":[{"name":"c","ready":true,"restartCount":2,"state":{"running":{"startedAt":"2026-08-20T10:00:00Z"}},
                     "lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled"}}}]}},
                 {"kind":"Pod","metadata":{"name":"b","namespace":"llm"},
                  "spec":{"containers":[{"name":"c","resources":{"limits":{"nvidia.com/gpu":"1"}}}]},
                  "status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","message":"0/6 nodes are available"}]}}
                ]}
                """;
        JsonNode pods = Samples.read(list).path("pods");
        assertThat(pods).hasSize(2);
        assertThat(pods.get(0).path("gpuRequests").path("nvidia.com/gpu.shared").asInt()).isEqualTo(1);
        assertThat(pods.get(0).path("holdsResources").asBoolean()).isTrue();
        assertThat(pods.get(0).path("owner").asText()).isEqualTo("StatefulSet/a");
        assertThat(pods.get(0).path("containers").get(0).path("lastExitCode").asInt()).isEqualTo(137);
        assertThat(pods.get(1).path("holdsResources").asBoolean(true)).isFalse();
        assertThat(pods.get(1).path("scheduling").asText()).isEqualTo("0/6 nodes are available");

        JsonNode cut = Samples.read(list.substring(0, list.indexOf("\"Pending\"")), Text.Ending.MAYBE_CUT);
        assertThat(cut.path("pods")).hasSize(1);
        assertThat(cut.path("notes")).extracting(JsonNode::asText).anyMatch(n -> n.contains("pod b"));
    }

    @Test
    void aManifestSaysNothingAboutItsLife() {
        JsonNode pod = Samples.read("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  nodeName: gpu-a\n  containers:\n"
                + "  - name: cuda\n    resources:\n      limits:\n        nvidia.com/gpu: 1\n").path("pods").get(0);

        assertThat(List.of("phase", "holdsResources", "ready")).allSatisfy(field ->
                assertThat(pod.path(field).isNull()).as(field).isTrue());
        assertThat(pod.path("gpuRequests").path("nvidia.com/gpu").asInt()).isEqualTo(1);
        JsonNode container = pod.path("containers").get(0);
        assertThat(container.path("name").asText()).isEqualTo("cuda");
        assertThat(container.path("state").isNull()).isTrue();
        assertThat(container.path("restarts").isNull()).isTrue();
    }

    @Test
    void aTerminatingPodStillHoldsItsCard() throws Exception {
        PodReport pod = new PodObject().read(Samples.parse("{\"metadata\":{\"name\":\"p\",\"deletionTimestamp\":\"2026-08-20T10:00:00Z\"},"
                + "\"spec\":{\"nodeName\":\"a\",\"containers\":[]},\"status\":{\"phase\":\"Running\"}}"));
        assertThat(pod.deleting()).isTrue();
        assertThat(pod.holdsResources()).isTrue();
    }

    @Test
    void warningsOfKubectlBeforeTheJsonAreSkipped() {
        JsonNode document = Samples.read("Warning: v1 Endpoints is deprecated in v1.33+\nW0820 10:00:00.1 1 warnings.go:70] x\n"
                + "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"gpu-a\"},\"spec\":{},\"status\":{}}\n");
        assertThat(document.path("nodes").get(0).path("name").asText()).isEqualTo("gpu-a");
        assertThat(document.path("nodes").get(0).path("taints")).as("none, and that is known").isEmpty();
    }

    @Test
    void theTablesOfPodsAndEventsAreRead() {
        JsonNode pods = Samples.read("""
                NAMESPACE      NAME                                  READY   STATUS                  RESTARTS      AGE     IP          NODE    NOMINATED NODE   READINESS GATES
                gpu-operator   nvidia-driver-daemonset-tm22t         0/1     Init:CrashLoopBackOff   5 (2m ago)    6m27s   10.42.0.5   gpu-a   <none>           <none>
                llm            ollama-0                              0/1     Pending                 0             3d1h    <none>      <none>  <none>           <none>
                """).path("pods");
        assertThat(pods.get(0).path("status").asText()).isEqualTo("Init:CrashLoopBackOff");
        assertThat(pods.get(0).path("restarts").asInt()).isEqualTo(5);
        assertThat(pods.get(0).path("node").asText()).isEqualTo("gpu-a");
        assertThat(pods.get(1).path("node").isNull()).isTrue();
        JsonNode described = Samples.read("Warning  FailedScheduling  2s (x57 over 15m)  default-scheduler  0/6 nodes are available: 6 Insufficient nvidia.com/gpu.\n");
        assertThat(described.path("kind").asText()).isEqualTo("events");
        assertThat(described.path("events").get(0).path("from").asText()).isEqualTo("default-scheduler");
        JsonNode listed = Samples.read("LAST SEEN   TYPE      REASON   OBJECT        MESSAGE\n5m          Warning   BackOff  pod/ollama-0  Back-off restarting\n");
        assertThat(listed.path("events").get(0).path("object").asText()).isEqualTo("pod/ollama-0");
    }

    @Test
    void theChartsOwnValuesAreRead() {
        JsonNode document = Samples.read(Samples.text("cluster/gpu-operator-v26.7.0-values.yaml"));
        assertThat(document.path("chart").asText()).isEqualTo("gpu-operator");
        assertThat(document.path("prefix").isNull()).isTrue();
        assertThat(document.path("settings").path("driver.version").asText()).isEqualTo("595.91.07");
        assertThat(document.path("settings").path("daemonsets.tolerations[0].key").asText()).isEqualTo("nvidia.com/gpu");
    }

    @Test
    void aVersionWithoutQuotesKeepsItsZeroAndSecretsAreMasked() {
        JsonNode settings = Samples.read("driver:\n  version: 580.10\ntoolkit:\n  env:\n  - name: A\n    value: b\noperator:\n  registryPassword: hunter2\n")
                .path("settings");
        assertThat(settings.path("driver.version").asText()).isEqualTo("580.10");
        assertThat(settings.toString()).doesNotContain("hunter2");
    }

    @Test
    void aSharingConfigMapIsRead() {
        JsonNode fine = Samples.read(Samples.text("cluster/time-slicing-config-fine.yaml"));
        assertThat(fine.path("kind").asText()).isEqualTo("sharing-config");
        assertThat(fine.path("sections")).hasSize(2);
        assertThat(fine.path("sections").get(0).path("migStrategy").asText()).isEqualTo("mixed");
        assertThat(fine.path("sections").get(0).path("resources")).hasSize(5);
        assertThat(fine.path("sections").get(1).path("resources").get(0).path("replicas").asInt()).isEqualTo(4);
    }

    @Test
    void aHelmReleaseIsUnpackedFromItsSecret() {
        JsonNode release = Samples.read(Samples.text("cluster/helm-release-secret-sample.json"));
        assertThat(release.path("kind").asText()).isEqualTo("helm-release");
        assertThat(release.path("revision").asInt()).isEqualTo(2);
        assertThat(release.path("chartVersion").asText()).isEqualTo("v26.3.3");
        assertThat(release.path("status").asText()).isEqualTo("deployed");
        assertThat(release.path("settings").path("driver.enabled").asText()).isEqualTo("false");
    }

    @Test
    void aReleaseThatCannotBeUnpackedGivesItsLabels() {
        JsonNode release = Samples.read("{\"kind\":\"Secret\",\"type\":\"helm.sh/release.v1\",\"metadata\":{\"labels\":{\"name\":\"x\",\"version\":\"3\",\"status\":\"failed\"}},\"data\":{\"release\":\"!!!\"}}");
        assertThat(release.path("name").asText()).isEqualTo("x");
        assertThat(release.path("revision").asInt()).isEqualTo(3);
        assertThat(release.path("notes")).hasSize(1);
    }

    @Test
    void otherObjectsAreNamedAndNeverShown() {
        JsonNode document = Samples.read("apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: n}\nstringData: {password: hunter2}\n");
        assertThat(document.path("kind").asText()).isEqualTo("kubernetes-objects");
        assertThat(document.toString()).contains("db").doesNotContain("hunter2");
        assertThat(Samples.read(Samples.text("cluster/kubemoot-objects-sample.yaml")).path("objects")).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "[plugins.cri.containerd]\\n default_runtime_name = \"nvidia\"\\n[plugins.cri.containerd.runtimes.nvidia.options]\\n Runtime = \"/usr/bin/nvidia-container-runtime\"\\n | null",
            "version = 2\\n[plugins.\"io.containerd.grpc.v1.cri\"]\\n enable_cdi = true\\n[plugins.\"io.containerd.grpc.v1.cri\".containerd]\\n default_runtime_name = \"nvidia\"\\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.nvidia.options]\\n BinaryName = \"/usr/bin/nvidia-container-runtime\"\\n | 2",
            "version = 3\\n[plugins.'io.containerd.cri.v1.runtime']\\n enable_cdi = true\\n[plugins.'io.containerd.cri.v1.runtime'.containerd]\\n default_runtime_name = \"nvidia\"\\n[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.nvidia.options]\\n BinaryName = \"/usr/bin/nvidia-container-runtime\"\\n | 3",
    })
    void containerdIsReadInItsThreeShapes(String file, String version) {
        JsonNode runtime = Samples.read(file.replace("\\n", "\n")).path("runtime");
        assertThat(runtime.path("version").asText()).isEqualTo(version);
        assertThat(runtime.path("defaultRuntime").asText()).isEqualTo("nvidia");
        assertThat(runtime.path("runtimes").get(0).path("binary").asText()).isEqualTo("/usr/bin/nvidia-container-runtime");
        assertThat(runtime.path("criDisabled").isNull()).isTrue();
    }

    @Test
    void aBrokenContainerdConfigIsReadUpToTheBreakAndSaysWhere() {
        JsonNode document = Samples.read("version = 2\nimports = [\"/etc/containerd/conf.d/*.toml\"]\n[plugins.\"io.containerd.grpc.v1.cri\"\n  enable_cdi = tru\n");
        assertThat(document.path("kind").asText()).isEqualTo("containerd-config");
        assertThat(document.path("runtime").path("imports")).hasSize(1);
        assertThat(document.path("notes").get(0).asText()).startsWith("line 3: ");
    }
}
