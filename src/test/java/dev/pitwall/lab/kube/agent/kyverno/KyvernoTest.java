package dev.pitwall.lab.kube.agent.kyverno;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.agent.AgentLab;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KyvernoTest {
    private static final ObjectKey POD = new ObjectKey(Resource.PODS, "kyverno", "kyverno-0");
    private static final String CARD =
            "{spec: {containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: '1'}}}]}}";
    private AgentLab lab;
    private Kyverno kyverno;

    @BeforeEach
    void start() throws Exception {
        lab = new AgentLab("garage");
        KyvernoWebhook webhook = new KyvernoWebhook(lab.store);
        kyverno = new Kyverno(lab.hand, lab.pods, lab.events, lab.clock, webhook);
        lab.with(webhook).with(kyverno);
        lab.readyPod("kyverno", "kyverno-0", "{app.kubernetes.io/component: admission-controller}");
    }

    private void policy(String name, String spec) {
        lab.create(Policies.POLICIES, "", name, "{spec: " + spec + "}");
        lab.live(2);
    }

    private void garagePolicy() throws IOException {
        String text = Files.readString(Path.of("resources/lab/kube/seeds/kyverno-policies.yaml"))
                .replace("${taint}", "true");
        lab.hand.create(new ObjectKey(Policies.POLICIES, "", "gpu-pods-to-gpu-nodes"), AgentLab.yaml(text));
        lab.live(2);
    }

    private JsonNode pod(String yaml) {
        lab.create(Resource.PODS, "default", "p", yaml);
        return lab.get(Resource.PODS, "default", "p");
    }

    private JsonNode ready(String policy) {
        return lab.get(Policies.POLICIES, "", policy).at("/status/conditions/0");
    }

    @Test
    void podThatAsksForACardIsTolerantAndPinned() throws Exception {
        garagePolicy();
        JsonNode spec = pod(CARD).path("spec");
        assertThat(spec.at("/tolerations/0/value").asText()).isEqualTo("true");
        assertThat(spec.at("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0"
                + "/matchExpressions/0/key").asText()).isEqualTo("nodepool");
        assertThat(ready("gpu-pods-to-gpu-nodes").path("status").asText()).isEqualTo("True");
    }

    @Test
    void podWithoutACardAndTemplatesStayAsTheyAre() throws Exception {
        garagePolicy();
        assertThat(pod("{spec: {containers: [{name: c, image: i}]}}").at("/spec").has("affinity")).isFalse();
        lab.create(Resource.DEPLOYMENTS, "default", "d", "{spec: {template: " + CARD + "}}");
        assertThat(lab.get(Resource.DEPLOYMENTS, "default", "d").at("/spec/template/spec").has("tolerations")).isFalse();
    }

    @Test
    void ruleAboutPodsGoesForTemplatesTooUnlessItsPolicySaysOtherwise() {
        policy("labels", "{rules: [{name: r, match: {any: [{resources: {kinds: [Pod]}}]},"
                + " mutate: {patchStrategicMerge: {metadata: {labels: {+(team): nobody}}}}}]}");
        lab.create(Resource.DEPLOYMENTS, "default", "d", "{spec: {template: {metadata: {labels: {a: b}}, spec: {}}}}");
        assertThat(lab.get(Resource.DEPLOYMENTS, "default", "d").at("/spec/template/metadata/labels/team").asText())
                .isEqualTo("nobody");
    }

    @Test
    void withoutAReadyPodNothingGoesThroughThatAPolicyIsAbout() throws Exception {
        garagePolicy();
        lab.hand.purge(POD);
        lab.live(2);
        assertThatThrownBy(() -> pod(CARD)).hasMessage("Internal error occurred: failed calling webhook"
                + " \"mutate.kyverno.svc-fail\": failed to call webhook: Post \"https://kyverno-svc.kyverno.svc:443/"
                + "mutate/fail?timeout=10s\": no endpoints available for service \"kyverno-svc\"");
        lab.create(Resource.CONFIG_MAPS, "default", "c", "{}");
        lab.create(Resource.PODS, "kube-system", "p", CARD);
    }

    @Test
    void withoutItsConfigurationTheWebhookIsNotCalled() throws Exception {
        garagePolicy();
        lab.hand.purge(POD);
        lab.live(2);
        lab.hand.purge(KyvernoWebhook.MUTATING);
        lab.hand.purge(KyvernoWebhook.VALIDATING);
        assertThat(pod(CARD).at("/spec").has("tolerations")).isFalse();
    }

    @Test
    void policyWithFailurePolicyIgnoreLetsPodsThrough() {
        policy("ignore", "{failurePolicy: Ignore, rules: [{name: r, match: {any: [{resources: {kinds: [Pod]}}]},"
                + " mutate: {patchStrategicMerge: {metadata: {labels: {a: b}}}}}]}");
        lab.hand.purge(POD);
        lab.live(2);
        assertThat(pod(CARD).at("/metadata").has("labels")).isFalse();
    }

    @Test
    void enforcedPatternRefusesInKyvernosWords() {
        policy("tags", "{validationFailureAction: Enforce, rules: [{name: no-latest, match: {any: [{resources: {kinds:"
                + " [Pod]}}]}, validate: {message: 'name a version', pattern: {spec: {containers: [{image: '!*:latest'}"
                + "]}}}}]}");
        assertThatThrownBy(() -> pod("{spec: {containers: [{name: a, image: 'x:1'}, {name: b, image: 'x:latest'}]}}"))
                .hasMessage("admission webhook \"validate.kyverno.svc-fail\" denied the request: \n\nresource"
                        + " Pod/default/p was blocked due to the following policies \n\ntags:\n  no-latest: 'validation"
                        + " error: name a version. rule no-latest failed at path /spec/containers/1/image/'\n");
        pod("{spec: {containers: [{name: a, image: 'x:1'}]}}");
    }

    @Test
    void auditedPatternOnlyLeavesAnEvent() {
        policy("tags", "{rules: [{name: no-latest, match: {any: [{resources: {kinds: [Pod]}}]}, validate: {message: m,"
                + " deny: {conditions: {any: [{key: '{{ request.object.spec.containers[].image }}', operator: AnyIn,"
                + " value: ['*:latest']}]}}}}]}");
        pod("{spec: {containers: [{name: b, image: 'x:latest'}]}}");
        kyverno.act(AgentLab.NOW);
        assertThat(lab.store.list(Resource.EVENTS, "").objects()).extracting(event ->
                event.tree().path("reason").asText()).contains("PolicyViolation");
    }

    @Test
    void foreachAndPathsPatchEachContainer() {
        policy("env", "{rules: [{name: r, match: {any: [{resources: {kinds: [Pod], namespaces: [def*]}}]}, mutate:"
                + " {foreach: [{list: 'request.object.spec.containers', patchStrategicMerge: {spec: {containers:"
                + " [{name: '{{ element.name }}', imagePullPolicy: Always}]}}}]}},"
                + " {name: s, match: {any: [{resources: {kinds: [Pod]}}]}, mutate: {patchesJson6902: \"[{op: add, path:"
                + " /spec/tolerations/-, value: {key: k, operator: Exists}}]\"}}]}");
        JsonNode spec = pod("{spec: {containers: [{name: a, image: i}, {name: b, image: i}]}}").path("spec");
        assertThat(spec.at("/containers/1/imagePullPolicy").asText()).isEqualTo("Always");
        assertThat(spec.at("/tolerations/0/key").asText()).isEqualTo("k");
    }

    @Test
    void ruleThatIsNotUnderstoodIsReported() {
        policy("odd", "{rules: [{name: g, match: {any: [{resources: {kinds: [Pod]}}]}, generate: {kind: ConfigMap}}]}");
        assertThat(ready("odd").path("status").asText()).isEqualTo("False");
        assertThat(ready("odd").path("message").asText()).isEqualTo("rule g: the lab's Kyverno does not know generate");
        assertThat(lab.store.list(Resource.EVENTS, "").objects()).isNotEmpty();
    }
}
