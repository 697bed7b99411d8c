package dev.pitwall.lab.kube.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NotebooksTest {
    private static final ObjectKey NOTEBOOK = new ObjectKey(Notebooks.NOTEBOOKS, "anna", "papers");
    private AgentLab lab;

    @BeforeEach
    void start() throws Exception {
        lab = new AgentLab("garage");
        lab.with(new Notebooks(lab.hand, lab.pods, lab.events));
    }

    private void controller() {
        lab.readyPod("kubeflow", "notebook-controller-1", "{app: notebook-controller}");
    }

    private void notebook() {
        lab.create(Notebooks.NOTEBOOKS, "anna", "papers", "{metadata: {labels: {app: papers}}, spec: {template: {spec:"
                + " {containers: [{name: papers, image: jupyter}]}}}}");
    }

    private void annotate(String name, String value) {
        lab.hand.change(NOTEBOOK, object -> object.withObjectProperty("metadata").withObjectProperty("annotations")
                .put(name, value));
    }

    @Test
    void notebookBecomesAStatefulSetAndAService() {
        controller();
        notebook();
        lab.live(1);
        JsonNode set = lab.get(Resource.STATEFUL_SETS, "anna", "papers");
        assertThat(set.at("/spec/replicas").asInt()).isEqualTo(1);
        assertThat(set.at("/spec/template/metadata/labels/notebook-name").asText()).isEqualTo("papers");
        assertThat(set.at("/spec/template/spec/containers/0/env/0/value").asText()).isEqualTo("/notebook/anna/papers");
        assertThat(set.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("Notebook");
        assertThat(lab.get(Resource.SERVICES, "anna", "papers").at("/spec/ports/0/targetPort").asInt())
                .isEqualTo(8888);
    }

    @Test
    void withoutItsPodTheControllerDoesNothing() {
        notebook();
        lab.live(1);
        assertThat(lab.store.find(new ObjectKey(Resource.STATEFUL_SETS, "anna", "papers"))).isEmpty();
        controller();
        lab.live(1);
        assertThat(lab.store.find(new ObjectKey(Resource.STATEFUL_SETS, "anna", "papers"))).isPresent();
    }

    @Test
    void stoppedNotebookHasNoPodAndAnEmptyAnnotationStopsToo() {
        controller();
        notebook();
        lab.live(1);
        annotate("kubeflow-resource-stopped", "");
        lab.live(1);
        assertThat(lab.get(Resource.STATEFUL_SETS, "anna", "papers").at("/spec/replicas").asInt()).isZero();
        lab.hand.change(NOTEBOOK, object -> object.withObjectProperty("metadata").remove("annotations"));
        lab.live(1);
        assertThat(lab.get(Resource.STATEFUL_SETS, "anna", "papers").at("/spec/replicas").asInt()).isEqualTo(1);
    }

    @Test
    void statusFollowsThePod() {
        controller();
        notebook();
        lab.live(1);
        lab.create(Resource.PODS, "anna", "papers-0", "{metadata: {labels: {notebook-name: papers}}, spec: {nodeName: n},"
                + " status: {phase: Running, conditions: [{type: Ready, status: 'True'}], containerStatuses: [{name:"
                + " papers, state: {running: {startedAt: '2026-08-22T07:00:00Z'}}}]}}");
        lab.live(1);
        JsonNode status = lab.get(Notebooks.NOTEBOOKS, "anna", "papers").path("status");
        assertThat(status.at("/containerState/running/startedAt").asText()).isEqualTo("2026-08-22T07:00:00Z");
        assertThat(status.at("/conditions/0/type").asText()).isEqualTo("Ready");
    }

    @Test
    void idleNotebooksAreStoppedOnlyIfCullingIsOn() {
        culling("false");
        controller();
        notebook();
        annotate("notebooks.kubeflow.org/last-activity", "2026-08-22T07:30:00Z");
        lab.live(1);
        lab.readyPod("anna", "papers-0", "{notebook-name: papers}");
        lab.live(7200);
        assertThat(lab.get(Resource.STATEFUL_SETS, "anna", "papers").at("/spec/replicas").asInt()).isEqualTo(1);
        // A changed ConfigMap is read when the controller starts anew.
        culling("true");
        lab.hand.purge(new ObjectKey(Resource.PODS, "kubeflow", "notebook-controller-1"));
        lab.live(1);
        controller();
        lab.live(120);
        assertThat(lab.get(Resource.STATEFUL_SETS, "anna", "papers").at("/spec/replicas").asInt()).isZero();
    }

    private void culling(String enabled) {
        lab.hand.purge(new ObjectKey(Resource.CONFIG_MAPS, "kubeflow", "notebook-controller-culler-config"));
        lab.create(Resource.CONFIG_MAPS, "kubeflow", "notebook-controller-culler-config",
                "{data: {ENABLE_CULLING: '" + enabled + "', CULL_IDLE_TIME: '60', IDLENESS_CHECK_PERIOD: '1'}}");
    }
}
