package dev.pitwall.lab.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.kubelet.KubeletRig;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.scene.SceneException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scheduler with the lab's real kubelets on the garage's nodes. */
class ScheduledPodsRunTest {
    private static final String NODE = KubeletRig.NODE;

    private KubeletRig rig;
    private ObjectStore store;

    @BeforeEach
    void garage() throws SceneException {
        rig = new KubeletRig();
        rig.act(new Scheduler(rig.plane));
        rig.started();
        store = rig.store;
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void pass(long seconds) {
        rig.pass(seconds);
    }

    /** A pod that wants nearly all of one node and sleeps. */
    private void create(String name, int priority) {
        long all = Long.parseLong(store.get(NodeFacts.key(NODE)).tree()
                .at("/status/allocatable/cpu").asText());
        store.create(SchedulerRig.pod(name), SchedulerRig.yaml("""
                spec:
                  priority: %d
                  terminationGracePeriodSeconds: 10
                  restartPolicy: Always
                  nodeSelector: {kubernetes.io/hostname: %s}
                  tolerations: [{operator: Exists}]
                  containers:
                  - {name: main, image: busybox:1.36, command: [sleep, infinity], resources: {requests: {cpu: "%d"}}}
                status: {phase: Pending}
                """.formatted(priority, NODE, all)));
    }

    private ObjectNode pod(String name) {
        return store.get(SchedulerRig.pod(name)).copy();
    }

    private String phase(String name) {
        return pod(name).at("/status/phase").asText();
    }

    @Test
    void a_pod_runs_where_it_was_bound_and_a_more_important_one_gets_its_room_after_its_grace() {
        create("notebook", 0);
        pass(60);
        assertThat(phase("notebook")).isEqualTo("Running");
        assertThat(pod("notebook").at("/spec/nodeName").asText()).isEqualTo(NODE);

        create("serving", 1000);
        pass(2);
        assertThat(pod("notebook").path("metadata").has("deletionTimestamp")).isTrue();
        assertThat(phase("serving")).isEqualTo("Pending");
        assertThat(pod("serving").at("/status/nominatedNodeName").asText()).isEqualTo(NODE);

        pass(60);
        assertThat(store.find(SchedulerRig.pod("notebook"))).isEmpty();
        assertThat(phase("serving")).isEqualTo("Running");
    }
}
