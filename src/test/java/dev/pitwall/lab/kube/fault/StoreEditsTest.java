package dev.pitwall.lab.kube.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.lab.fault.FaultBoard;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What faults do to the objects of a cluster, and how they take it back. */
class StoreEditsTest {
    private static final String NODE = "rke2-worker-dc1-gpu-a";
    private static final ObjectKey POLICY = new ObjectKey(new Resource("nvidia.com", "clusterpolicies"), "",
            "cluster-policy");
    private static final ObjectKey POD = new ObjectKey(Resource.PODS, "gpu-operator", "nvidia-driver-daemonset-abcde");
    private static final ObjectKey CONFIG = new ObjectKey(Resource.core("configmaps"), "gpu-operator",
            "time-slicing-config");

    private Instant now = Instant.parse("2026-03-01T10:00:00Z");
    private final ResourceCatalog catalog = ResourceCatalog.load();
    private World world;
    private ObjectStore store;
    private ClusterHand hand;
    private FaultBoard board;
    private boolean refuses;

    @BeforeEach
    void garage() throws Exception {
        world = new World(new LabClock(() -> now), 1);
        SceneWorld.fill(world, new SceneFile().bundled("garage"));
        store = new ObjectStore(world.clock(), catalog, 1024);
        hand = new ClusterHand(store, request -> {
            if (refuses && request.name().equals("cluster-policy")) {
                throw new AdmissionRefusal(403, "Forbidden", "the policy is not to be changed");
            }
        }, "admin");
        hand.create(POLICY, json("{'spec':{'driver':{'version':'570.133.20','resources':{'limits':{'memory':'4Gi'}}},"
                + "'devicePlugin':{'enabled':true},'dcgmExporter':{}}}"));
        hand.create(POD, json("{'metadata':{'labels':{'app':'nvidia-driver-daemonset'}},'spec':{'nodeName':'" + NODE
                + "'}}"));
        board = new FaultBoard(world);
        board.cluster(new StoreEdits(hand, catalog), world.clock());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aFaultThatIsTakenBackGivesBackItsOwnFieldsOnly() throws Exception {
        board.on("driver-oom-while-compiling", Optional.empty());
        assertThat(policy().at("/driver/resources/limits/memory").asText()).isEqualTo("512Mi");
        hand.change(POLICY, object -> ((ObjectNode) object.at("/spec/driver")).put("version", "570.172.08"));
        board.off("driver-oom-while-compiling");
        assertThat(policy().at("/driver")).isEqualTo(
                json("{'version':'570.172.08','resources':{'limits':{'memory':'4Gi'}}}"));
    }

    @Test
    void whatAFaultHadToMakeForItsFieldGoesUnlessSomebodyHasPutMoreThere() throws Exception {
        board.on("dcgm-exporter-oom", Optional.empty());
        board.off("dcgm-exporter-oom");
        assertThat(policy().path("dcgmExporter")).isEqualTo(json("{}"));

        board.on("dcgm-exporter-oom", Optional.empty());
        hand.change(POLICY, object -> ((ObjectNode) object.at("/spec/dcgmExporter/resources/limits")).put("cpu", "1"));
        board.off("dcgm-exporter-oom");
        assertThat(policy().path("dcgmExporter")).isEqualTo(json("{'resources':{'limits':{'cpu':'1'}}}"));
    }

    @Test
    void faultsOfOneObjectCanBeSwitchedOffInAnyOrder() throws Exception {
        JsonNode before = policy();
        board.on("time-slicing-config-missing", Optional.empty());
        board.on("time-slicing-config-wrong-key", Optional.empty());
        assertThat(store.find(CONFIG)).isPresent();
        board.off("time-slicing-config-missing");
        assertThat(policy().at("/devicePlugin/config/name").asText()).isEqualTo("time-slicing-config");
        assertThat(store.find(CONFIG)).isPresent();
        board.off("time-slicing-config-wrong-key");
        assertThat(policy()).isEqualTo(before);
        assertThat(store.find(CONFIG)).isEmpty();
    }

    @Test
    void podsAreMadeAnewTenSecondsLaterUnlessTheFaultIsOffByThen() throws Exception {
        board.on("driver-oom-while-compiling", Optional.empty());
        pass(Duration.ofSeconds(9));
        assertThat(leaves()).isFalse();
        pass(Duration.ofSeconds(1));
        assertThat(leaves()).isTrue();
    }

    @Test
    void aRestartThatAFaultHadPlannedIsTheRepairsOnceItIsOff() throws Exception {
        board.on("driver-oom-while-compiling", Optional.empty());
        pass(Duration.ofSeconds(5));
        board.off("driver-oom-while-compiling");
        pass(Duration.ofSeconds(6));
        assertThat(leaves()).isFalse();
        pass(Duration.ofSeconds(4));
        assertThat(leaves()).isTrue();
    }

    @Test
    void editsThatComeLaterAreTakenBackToo() throws Exception {
        ObjectKey quota = new ObjectKey(Resource.QUOTAS, "llm", "llm-compute");
        ObjectKey workload = new ObjectKey(Resource.DEPLOYMENTS, "llm", "reranker");
        hand.create(new ObjectKey(Resource.NAMESPACES, "", "llm"), json("{'metadata':{}}"));
        board.on("quota-requires-requests", Optional.empty());
        assertThat(store.find(quota)).isPresent();
        assertThat(store.find(workload)).isEmpty();
        pass(Duration.ofSeconds(10));
        assertThat(store.find(workload)).isPresent();
        board.off("quota-requires-requests");
        assertThat(List.of(store.find(quota), store.find(workload))).allMatch(Optional::isEmpty);
    }

    @Test
    void whatTheClusterDoesNotTakeIsNotSwitchedOn() {
        refuses = true;
        assertThatThrownBy(() -> board.on("time-slicing-config-wrong-key", Optional.empty()))
                .isInstanceOf(TroubleException.class).hasMessageContaining("the policy is not to be changed");
        assertThat(store.find(CONFIG)).isEmpty();
        assertThat(world.faults).isEmpty();
    }

    @Test
    void aFaultWhoseObjectsAreNotThereIsNotPossible() {
        assertThat(board.possible()).extracting(FaultBoard.Known::trap)
                .contains("driver-oom-while-compiling", "iommu-off")
                .doesNotContain("nfd-label-format-mismatch", "admission-policy-denied", "gpus-held-by-other-pods");
    }

    private void pass(Duration time) {
        now = now.plus(time);
        world.change(w -> w.runDue(now));
    }

    private boolean leaves() {
        return store.get(POD).tree().path("metadata").has("deletionTimestamp");
    }

    private JsonNode policy() {
        return store.get(POLICY).tree().path("spec");
    }

    private static ObjectNode json(String text) {
        return Json.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
