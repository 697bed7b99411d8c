package dev.pitwall.lab.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.kube.store.Resource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a pod goes because of where others are. */
class NeighboursTest {
    private static final String APART = "metadata: {labels: {app: db}}\nspec: {affinity: {podAntiAffinity: {"
            + "requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector:"
            + " {matchLabels: {app: db}}}]}}}";
    private static final String ZONE_A = "metadata: {labels: {zone: a}}";
    private static final String ZONE_B = "metadata: {labels: {zone: b}}";
    private static final String SPREAD = "metadata: {labels: {app: web}}\nspec: {topologySpreadConstraints: [{maxSkew: 1,"
            + " topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]}";

    private final SchedulerRig rig = new SchedulerRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void pods_that_keep_apart_take_a_node_each() {
        rig.node("node-a");
        rig.node("node-b");
        rig.pod("db-0", APART);
        rig.pod("db-1", APART);
        rig.pod("db-2", APART);
        rig.pod("intruder", "metadata: {labels: {app: db}}");
        rig.pod("web", "metadata: {labels: {app: web}}");
        rig.pass(1);
        assertThat(rig.nodesOf("db-0", "db-1")).containsExactlyInAnyOrder("node-a", "node-b");
        assertThat(rig.nodeOf("web")).isNotEmpty();
        assertThat(rig.why("db-2")).startsWith("0/2 nodes are available: 2 node(s) didn't match pod anti-affinity"
                + " rules.");
        assertThat(rig.why("intruder")).startsWith("0/2 nodes are available: 2 node(s) didn't satisfy existing pods"
                + " anti-affinity rules.");
        rig.gone("db-0");
        rig.pass(12);
        assertThat(rig.nodeOf("db-2")).isNotEmpty();
    }

    @Test
    void pods_that_want_company_go_where_it_is_and_the_first_of_a_group_starts_it() {
        rig.node("node-a");
        rig.node("node-b");
        String near = "metadata: {labels: {app: %s}}\nspec: {affinity: {podAffinity: {"
                + "requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector:"
                + " {matchLabels: {app: %s}}}]}}}";
        rig.pod("group-0", near.formatted("group", "group"));
        rig.pod("group-1", near.formatted("group", "group"));
        rig.pod("fan", near.formatted("fan", "star"));
        rig.pass(1);
        assertThat(rig.nodeOf("group-0")).isNotEmpty().isEqualTo(rig.nodeOf("group-1"));
        assertThat(rig.why("fan")).isEqualTo("0/2 nodes are available: 2 node(s) didn't match pod affinity rules."
                + " preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.");
        rig.pod("star", "metadata: {labels: {app: star}}");
        rig.pass(3);
        assertThat(rig.nodeOf("fan")).isNotEmpty().isEqualTo(rig.nodeOf("star"));
    }

    @Test
    void affinity_reaches_into_other_namespaces_only_when_it_says_so() {
        rig.node("node-a");
        rig.object(Resource.NAMESPACES, "", "models", "metadata: {labels: {team: ai}}");
        rig.object(Resource.PODS, "models", "star", "metadata: {labels: {app: star}}\n"
                + "spec: {nodeName: node-a}\nstatus: {phase: Running}");
        String near = "spec: {affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
                + " kubernetes.io/hostname, labelSelector: {matchLabels: {app: star}}%s}]}}}";
        rig.pod("here", near.formatted(""));
        rig.pod("named", near.formatted(", namespaces: [models]"));
        rig.pod("selected", near.formatted(", namespaceSelector: {matchLabels: {team: ai}}"));
        rig.pod("everywhere", near.formatted(", namespaceSelector: {}"));
        rig.pass(1);
        assertThat(rig.nodesOf("here", "named", "selected", "everywhere"))
                .containsExactly("", "node-a", "node-a", "node-a");
    }

    @Test
    void pods_are_spread_over_zones_and_wait_where_one_has_no_room() {
        rig.node("a-1", ZONE_A);
        rig.node("a-2", ZONE_A);
        rig.node("b-1", ZONE_B + "\nstatus: {allocatable: {pods: '1'}}");
        rig.node("nowhere");
        for (int i = 0; i < 4; i++) {
            rig.pod("web-" + i, SPREAD);
        }
        rig.pass(1);
        assertThat(rig.nodesOf("web-0", "web-1", "web-2", "web-3")).filteredOn(node -> node.startsWith("a"))
                .hasSize(2);
        assertThat(rig.nodesOf("web-0", "web-1", "web-2", "web-3")).filteredOn("b-1"::equals).hasSize(1);
        assertThat(rig.why("web-3")).startsWith("0/4 nodes are available: 1 Too many pods, 1 node(s) didn't match pod"
                + " topology spread constraints (missing required label), 2 node(s) didn't match pod topology spread"
                + " constraints.");
    }

    @Test
    void a_rollout_is_spread_by_itself_where_the_templates_hash_has_to_match() {
        rig.node("node-a");
        rig.node("node-b");
        String revision = "metadata: {labels: {app: web, hash: '%s'}}\nspec: {nodeSelector: {%s}, "
                + "topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable:"
                + " DoNotSchedule, nodeAffinityPolicy: Ignore, matchLabelKeys: [hash], labelSelector: {matchLabels:"
                + " {app: web}}}]}";
        rig.pod("old", revision.formatted("1", "kubernetes.io/hostname: node-a"));
        rig.pass(1);
        rig.pod("new-1", revision.formatted("2", "kubernetes.io/hostname: node-a"));
        rig.pass(1);
        rig.pod("new-2", revision.formatted("2", "kubernetes.io/hostname: node-a"));
        rig.pass(1);
        assertThat(rig.nodesOf("old", "new-1", "new-2")).containsExactly("node-a", "node-a", "");
    }

    @Test
    void a_soft_constraint_and_a_common_owner_only_prefer_to_spread() {
        rig.node("node-a");
        rig.node("node-b");
        String owned = "metadata: {labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet,"
                + " name: web, uid: u-1, controller: true}]}";
        for (int i = 0; i < 4; i++) {
            rig.pod("web-" + i, owned);
        }
        rig.pass(1);
        assertThat(rig.nodesOf("web-0", "web-1", "web-2", "web-3")).filteredOn("node-a"::equals).hasSize(2);
    }
}
