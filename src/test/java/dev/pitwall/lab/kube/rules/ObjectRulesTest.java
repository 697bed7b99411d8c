package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.schema.ApiTypes;
import dev.pitwall.lab.kube.schema.Schema;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class ObjectRulesTest {
    private static final String DEPLOYMENT = """
            metadata: {name: web}
            spec:
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: c, image: 'registry:5000/nginx', ports: [{containerPort: 80}]}]}
            """;

    private final ApiTypes types = ApiTypes.load();
    private final ObjectRules rules = new ObjectRules();

    @Test
    void a_deployment_is_filled_in_as_the_api_server_does() throws IOException {
        ObjectNode web = filled("apps", "Deployment", DEPLOYMENT);
        assertThat(web.at("/spec/replicas").asInt()).isEqualTo(1);
        assertThat(web.at("/spec/strategy/rollingUpdate/maxUnavailable").asText()).isEqualTo("25%");
        assertThat(web.at("/spec/template/spec/containers/0/imagePullPolicy").asText()).as("no tag is latest").isEqualTo("Always");
        assertThat(web.at("/spec/template/spec/containers/0/ports/0/protocol").asText()).isEqualTo("TCP");
        assertThat(web.at("/spec/template/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(30);
        assertThat(problems("apps", "Deployment", web, Optional.empty())).isEmpty();
    }

    @Test
    void limits_stand_in_for_requests_and_a_probe_has_its_times() throws IOException {
        ObjectNode pod = filled("", "Pod", """
                metadata: {name: p}
                spec: {containers: [{name: c, image: 'a:1', resources: {limits: {nvidia.com/gpu: 1}}, livenessProbe: {httpGet: {port: 80}}}]}
                """);
        assertThat(pod.at("/spec/containers/0/resources/requests").path("nvidia.com/gpu").asInt()).isEqualTo(1);
        assertThat(pod.at("/spec/containers/0/livenessProbe/periodSeconds").asInt()).isEqualTo(10);
        assertThat(pod.at("/spec/containers/0/livenessProbe/httpGet/scheme").asText()).isEqualTo("HTTP");
        assertThat(pod.at("/spec/enableServiceLinks").asBoolean()).isTrue();
        ObjectNode web = filled("apps", "Deployment", DEPLOYMENT.replace("'registry:5000/nginx',",
                "'registry:5000/nginx', resources: {limits: {nvidia.com/gpu: 1}},"));
        assertThat(web.at("/spec/template/spec/containers/0/resources").has("requests")).as("a template is no pod")
                .isFalse();
        assertThat(web.at("/spec/template/spec").has("enableServiceLinks")).isFalse();
    }

    @Test
    void a_claim_asks_for_storage_in_a_known_mode_and_only_that_amount_changes_once_it_is_bound() throws IOException {
        String text = """
                metadata: {name: models}
                spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 30Gi}}}
                status: {phase: Bound, capacity: {storage: 30Gi}}
                """;
        assertThat(problems("", "PersistentVolumeClaim", filled("", "PersistentVolumeClaim", text), Optional.empty()))
                .isEmpty();
        assertThat(problems("", "PersistentVolumeClaim", filled("", "PersistentVolumeClaim",
                "{metadata: {name: models}, spec: {accessModes: [ReadSometimes]}}"), Optional.empty())).containsExactly(
                "spec.accessModes: Unsupported value: \"ReadSometimes\": supported values: \"ReadOnlyMany\","
                        + " \"ReadWriteMany\", \"ReadWriteOnce\", \"ReadWriteOncePod\"",
                "spec.resources[storage]: Required value");
        ObjectNode bound = filled("", "PersistentVolumeClaim", text);
        assertThat(problems("", "PersistentVolumeClaim", filled("", "PersistentVolumeClaim",
                text.replace("storage: 30Gi}}}", "storage: 40Gi}}}")), Optional.of(bound))).isEmpty();
        assertThat(problems("", "PersistentVolumeClaim", filled("", "PersistentVolumeClaim",
                text.replace("storage: 30Gi}}}", "storage: 20Gi}}}")), Optional.of(bound))).containsExactly(
                "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity");
        assertThat(problems("", "PersistentVolumeClaim", filled("", "PersistentVolumeClaim",
                text.replace("fast", "slow")), Optional.of(bound))).singleElement().asString()
                .startsWith("spec: Forbidden: spec is immutable after creation except resources.requests");
    }

    @Test
    void a_cron_job_has_a_schedule_that_can_be_read_and_a_time_zone_that_is_known() throws IOException {
        String text = """
                metadata: {name: tick}
                spec:
                  schedule: SCHEDULE
                  timeZone: ZONE
                  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: 'a:1'}]}}}}
                """;
        assertThat(problems("batch", "CronJob", filled("batch", "CronJob", text.replace("SCHEDULE", "'*/5 * * * *'")
                .replace("ZONE", "Europe/Berlin")), Optional.empty())).isEmpty();
        assertThat(problems("batch", "CronJob", filled("batch", "CronJob", text.replace("SCHEDULE", "daily")
                .replace("ZONE", "Mars")), Optional.empty())).containsExactly(
                "spec.schedule: Invalid value: \"daily\": expected exactly 5 fields, found 1: [daily]",
                "spec.timeZone: Invalid value: \"Mars\": unknown time zone Mars");
        assertThat(problems("batch", "CronJob", filled("batch", "CronJob", text.replace("SCHEDULE",
                "'TZ=UTC * * * * *'").replace("ZONE", "UTC")), Optional.empty())).containsExactly(
                "spec.schedule: Invalid value: \"TZ=UTC * * * * *\": cannot use TZ or CRON_TZ in schedule, use timeZone"
                        + " field instead");
    }

    @Test
    void a_job_with_a_policy_for_failed_pods_replaces_only_failed_ones() throws IOException {
        String job = "{metadata: {name: j}, spec: {MORE template: {spec: {restartPolicy: Never, containers: [{name: c, image: a}]}}}}";
        assertThat(filled("batch", "Job", job.replace("MORE", "")).at("/spec/podReplacementPolicy").asText())
                .isEqualTo("TerminatingOrFailed");
        ObjectNode strict = filled("batch", "Job", job.replace("MORE", "backoffLimitPerIndex: 1, podFailurePolicy:"
                + " {rules: []},"));
        assertThat(strict.at("/spec/podReplacementPolicy").asText()).isEqualTo("Failed");
        assertThat(strict.at("/spec/backoffLimit").asInt()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void what_is_missing_doubled_or_does_not_match_is_named() throws IOException {
        ObjectNode web = filled("apps", "Deployment", DEPLOYMENT.replace("labels: {app: web}", "labels: {app: other}")
                .replace("image: 'registry:5000/nginx', ", "").replace("}]}}", "}]}}"));
        assertThat(problems("apps", "Deployment", web, Optional.empty())).containsExactly(
                "spec.template.metadata.labels: Invalid value: map[string]string{\"app\":\"other\"}: `selector` does not"
                        + " match template `labels`", "spec.template.spec.containers[0].image: Required value");
        ObjectNode pod = filled("", "Pod", """
                metadata: {name: p}
                spec: {restartPolicy: Sometimes, containers: [{name: c, image: a, volumeMounts: [{name: v, mountPath: /v}]}, {name: c, image: a}]}
                """);
        assertThat(problems("", "Pod", pod, Optional.empty())).containsExactly(
                "spec.restartPolicy: Unsupported value: \"Sometimes\": supported values: \"Always\", \"OnFailure\", \"Never\"",
                "spec.containers[0].volumeMounts[0].name: Not found: \"v\"", "spec.containers[1].name: Duplicate value: \"c\"");
    }

    @Test
    void a_stateful_set_mounts_what_its_claim_templates_bring() throws IOException {
        ObjectNode set = filled("apps", "StatefulSet", """
                metadata: {name: db}
                spec:
                  serviceName: db
                  selector: {matchLabels: {app: db}}
                  template:
                    metadata: {labels: {app: db}}
                    spec: {containers: [{name: c, image: a, volumeMounts: [{name: data, mountPath: /data}, {name: gone, mountPath: /x}]}]}
                  volumeClaimTemplates:
                    - metadata: {name: data}
                      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """);
        assertThat(problems("apps", "StatefulSet", set, Optional.empty())).containsExactly(
                "spec.template.spec.containers[0].volumeMounts[1].name: Not found: \"gone\"");
    }

    @Test
    void a_config_map_holds_a_mebibyte_at_most() throws IOException {
        ObjectNode map = filled("", "ConfigMap", "metadata: {name: m}");
        map.putObject("data").put("a", "a".repeat(1 << 20));
        assertThat(problems("", "ConfigMap", map, Optional.empty())).isEmpty();
        map.withObject("/data").put("b", "c");
        assertThat(problems("", "ConfigMap", map, Optional.empty()))
                .containsExactly("[]: Too long: may not be more than 1048576 bytes");
    }

    @Test
    void a_selector_stays_and_of_a_pod_only_little_changes() throws IOException {
        ObjectNode web = filled("apps", "Deployment", DEPLOYMENT);
        ObjectNode other = filled("apps", "Deployment", DEPLOYMENT.replace("app: web", "app: api"));
        assertThat(problems("apps", "Deployment", other, Optional.of(web))).containsExactly("spec.selector: Invalid value:"
                + " v1.LabelSelector{MatchLabels:map[string]string{\"app\":\"api\"},"
                + " MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable");
        String text = "{metadata: {name: p}, spec: {tolerations: [{key: a, operator: Exists}], containers: [{name: c, image: 'a:1'}]}}";
        ObjectNode pod = filled("", "Pod", text);
        assertThat(problems("", "Pod", filled("", "Pod", text.replace("a:1", "a:2")), Optional.of(pod))).isEmpty();
        assertThat(problems("", "Pod", filled("", "Pod", text.replace("spec: {", "spec: {nodeName: n, ")), Optional.of(pod)))
                .singleElement().asString().startsWith("spec: Forbidden: pod updates may not change fields other than");
    }

    private List<String> problems(String group, String kind, ObjectNode object, Optional<ObjectNode> before) {
        return rules.check(kind, object, before, schema(group, kind)).stream().map(Problem::toString).toList();
    }

    private ObjectNode filled(String group, String kind, String yaml) throws IOException {
        ObjectNode object = (ObjectNode) new YAMLMapper().readTree(yaml);
        Defaults.load().fill(object, schema(group, kind));
        return object;
    }

    private Schema schema(String group, String kind) {
        return types.schema(group, "v1", kind).orElseThrow();
    }
}
