package dev.pitwall.lab.kube.seed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.Timestamp;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.World;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plants what a cluster starts with, stage by stage while the cluster's past is lived through, so that each finds what
 * it needs: namespaces first, policies before the pods they change, the operator before those who want its cards. The
 * same world gives the same objects with the same uids. It is done after its last stage and never acts again.
 */
public final class Seeds implements Controller {
    /** From the servers of one node each has its pod bound before the next comes. */
    private static final Duration TURN = Duration.ofSeconds(20);
    private static final Logger LOG = LoggerFactory.getLogger(Seeds.class);

    private final World world;
    private final ClusterHand hand;
    private final Instant begin;
    private final SeedValues values;
    private final List<Step> steps;
    private int next;

    /**
     * @param hand  of an administrator
     * @param begin the cluster's first moment; see {@link #begin}
     */
    public Seeds(World world, ClusterHand hand, Instant begin) {
        this.world = world;
        this.hand = hand;
        this.begin = begin;
        SeedIndex.Plan plan = SeedIndex.load().plan(world);
        this.values = SeedValues.of(world, plan.values(), begin);
        this.steps = steps(plan);
    }

    /** The first moment of a lab's cluster: the boot of the node that has run longest. */
    public static Instant begin(World world) {
        return world.read(w -> w.nodes.values().stream().map(node -> node.bootedAt)
                .filter(booted -> !booted.equals(Instant.EPOCH)).min(Instant::compareTo)
                .orElseGet(w.clock()::instant));
    }

    @Override
    public Set<Resource> watches() {
        return Set.of();
    }

    @Override
    public Instant act(Instant now) {
        for (; next < steps.size(); next++) {
            if (steps.get(next).at().isAfter(now)) {
                return steps.get(next).at();
            }
            steps.get(next).planting().accept(now);
        }
        return Instant.MAX;
    }

    /** Something that is planted at a moment; it is told that moment. */
    private record Step(Instant at, Consumer<Instant> planting) {
    }

    private List<Step> steps(SeedIndex.Plan plan) {
        List<Step> all = new ArrayList<>();
        for (SeedIndex.Stage stage : plan.stages()) {
            Instant at = begin.plus(stage.at());
            all.add(new Step(at, now -> plant(stage, now)));
            if (!stage.perServer().isEmpty() || !stage.perModel().isEmpty()) {
                servers().forEach((server, turn) -> all.add(new Step(at.plus(TURN.multipliedBy(turn)),
                        now -> plant(stage, server, made(stage, now)))));
            }
        }
        all.sort(Comparator.comparing(Step::at));
        return all;
    }

    /**
     * The scene's model servers and the turn of each on its node: a kubelet gives the first card to the pod that comes
     * first.
     */
    private Map<LabModelServer, Integer> servers() {
        return world.read(w -> {
            Map<String, Integer> turns = new HashMap<>();
            Map<LabModelServer, Integer> servers = new LinkedHashMap<>();
            w.servers.values().stream().sorted(Comparator.comparing(server -> server.card)).forEach(server ->
                    servers.put(server, turns.merge(server.node, 1, Integer::sum) - 1));
            return servers;
        });
    }

    private Instant made(SeedIndex.Stage stage, Instant now) {
        return stage.age() == null ? now : begin.atOffset(ZoneOffset.UTC).minus(stage.age()).toInstant();
    }

    private void plant(SeedIndex.Stage stage, Instant now) {
        Instant made = made(stage, now);
        stage.definitions().forEach(name -> plant(Manifest.definition(name), made));
        stage.files().forEach(file -> plant(file, values, made));
        if (!stage.release().isEmpty()) {
            SeedRelease.read(stage.release()).objects(SeedRelease.manifest(stage.release()), now)
                    .forEach(object -> plant(object, made));
        }
    }

    private void plant(SeedIndex.Stage stage, LabModelServer server, Instant made) {
        SeedValues own = values.with(world.read(w -> SeedValues.of(server)));
        stage.perServer().getOrDefault(server.kind.word(), List.of()).forEach(file -> plant(file, own, made));
        if (server.kind == LabModelServer.Kind.OLLAMA) {
            models(server).forEach((name, model) -> stage.perModel().forEach(file ->
                    plant(file, own.with(Map.of("modelName", name, "model", model)), made)));
        }
    }

    /** Models on a server by a name for an object. */
    private Map<String, String> models(LabModelServer server) {
        return world.read(w -> {
            Map<String, String> models = new TreeMap<>();
            server.installed.forEach(model -> models.put(model.name().replaceFirst(":latest$", "")
                    .replaceAll("[^a-z0-9]+", "-") + "-" + server.name, model.name()));
            return models;
        });
    }

    private void plant(String file, SeedValues filled, Instant made) {
        Manifest.all(filled.fill(Manifest.text(file + ".yaml"))).forEach(object -> plant(object, made));
    }

    private void plant(Manifest manifest, Instant made) {
        if (hand.find(manifest.key()).isPresent()) {
            return;
        }
        ObjectNode object = manifest.object();
        object.withObjectProperty("metadata").put("uid", uid(manifest.key()))
                .put("creationTimestamp", Timestamp.of(made));
        try {
            hand.create(manifest.key(), object);
        } catch (AdmissionRefusal refused) {
            LOG.error("the cluster does not take {} of its start: {}", manifest.key(), refused.getMessage());
        }
    }

    private static String uid(ObjectKey key) {
        String text = key.resource().qualified() + "/" + key.namespace() + "/" + key.name();
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
