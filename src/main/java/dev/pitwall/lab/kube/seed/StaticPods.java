package dev.pitwall.lab.kube.seed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.World;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The control plane of distributions that run it as static pods: their mirrors appear with their node. That a deleted
 * mirror comes back is the kubelet's doing.
 */
public final class StaticPods implements Controller {
    private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

    private final ClusterHand hand;
    private final List<StaticPod> pods;
    private final List<StoredObject> nodes = new ArrayList<>();

    /** @param on {@code control-plane}, or {@code all} nodes */
    private record StaticPod(String on, ObjectNode pod) {
        boolean fits(StoredObject node) {
            return on.equals("all") || node.labels().containsKey(CONTROL_PLANE);
        }
    }

    /** @param hand writes as the kubelets do */
    public StaticPods(World world, ClusterHand hand) {
        this.hand = hand;
        String distribution = world.read(w -> w.kubernetes.distribution().word());
        SeedValues values = SeedValues.of(world, Map.of(), Instant.EPOCH);
        try {
            this.pods = new YAMLMapper().readValue(
                    values.fill(Manifest.text("static/" + distribution + ".yaml")), new TypeReference<>() { });
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("the static pods of " + distribution + " cannot be read", e);
        }
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.NODES);
    }

    @Override
    public void observe(Change change) {
        switch (change) {
            case Change.Added added -> nodes.add(added.now());
            case Change.Modified modified -> {
                // A node that has lost and got its labels again has its pods already.
            }
            case Change.Deleted deleted -> nodes.removeIf(node -> node.uid().equals(deleted.before().uid()));
        }
    }

    @Override
    public Instant act(Instant now) {
        for (StoredObject node : nodes) {
            pods.stream().filter(pod -> pod.fits(node)).forEach(pod -> mirror(pod.pod().deepCopy(), node));
        }
        nodes.clear();
        return Instant.MAX;
    }

    private void mirror(ObjectNode pod, StoredObject node) {
        String file = digest(pod);
        ObjectNode metadata = pod.withObjectProperty("metadata");
        String name = metadata.path("name").asText() + "-" + node.key().name();
        ObjectKey key = new ObjectKey(Resource.PODS, metadata.path("namespace").asText(), name);
        if (hand.find(key).isPresent()) {
            return;
        }
        metadata.put("name", name);
        metadata.withObjectProperty("annotations").put("kubernetes.io/config.hash", file)
                .put("kubernetes.io/config.mirror", file).put("kubernetes.io/config.source", "file");
        ObjectNode owner = Json.object().put("apiVersion", "v1").put("kind", "Node").put("name", node.key().name())
                .put("uid", node.uid()).put("controller", true);
        metadata.putArray("ownerReferences").add(owner);
        pod.withObjectProperty("spec").put("nodeName", node.key().name());
        hand.as("system:node:" + node.key().name()).create(key, pod);
    }

    private static String digest(JsonNode pod) {
        try {
            byte[] hash = MessageDigest.getInstance("MD5").digest(pod.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
