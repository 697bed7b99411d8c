package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.api.LogSource;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.PodRequests;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Programs;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * As much of a kubelet as the operator's programs need: init containers one after the other, restarts with a growing
 * pause, memory limits, volumes that must be there, and runtime classes.
 */
final class TinyKubelet implements Controller {
    private static final Resource CLASSES = new Resource("node.k8s.io", "runtimeclasses");
    private final World world;
    private final ClusterHand hand;
    private final Pods pods;
    private final Programs programs;
    private final Map<String, TinyBook> books = new HashMap<>();
    private final Map<String, Life> lives = new HashMap<>();

    TinyKubelet(World world, ClusterHand hand, Pods pods, Programs programs) {
        this.world = world;
        this.hand = hand;
        this.pods = pods;
        this.programs = programs;
    }

    /** One container of a pod. */
    private static final class Slot {
        final ObjectNode container;
        final boolean init;
        TinyRun run;
        Program program;
        int restarts;
        Instant next = Instant.MIN;
        String state = "PodInitializing";
        String lastState = "";
        int exitCode;
        boolean ready;
        boolean done;
        List<String> previous = List.of();

        void again() {
            done = false;
            ready = false;
            next = Instant.MIN;
        }

        Slot(ObjectNode container, boolean init) {
            this.container = container;
            this.init = init;
        }
    }

    private static final class Life {
        PodFacts pod;
        final List<Slot> slots = new ArrayList<>();
        Instant boot = Instant.MIN;
        String held = "";
        boolean ended;
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Pods.PODS, Resource.core("configmaps"), CLASSES, Resource.core("nodes"));
    }

    @Override
    public void observe(Change change) {
        // Everything is looked at in every round.
    }

    @Override
    public Instant act(Instant now) {
        Instant due = Instant.MAX;
        Set<String> there = new java.util.HashSet<>();
        for (PodFacts pod : pods.all()) {
            there.add(pod.uid());
            if (!pod.node().isEmpty()) {
                Instant wanted = look(pod, now);
                due = wanted.isBefore(due) ? wanted : due;
            }
        }
        List.copyOf(lives.keySet()).stream().filter(uid -> !there.contains(uid)).forEach(uid -> end(lives.remove(uid),
                now));
        return due;
    }

    private void end(Life life, Instant now) {
        life.slots.stream().filter(slot -> slot.run != null).forEach(slot -> {
            slot.program.ended(slot.run, now);
            slot.run = null;
        });
    }

    private Instant look(PodFacts pod, Instant now) {
        Life life = lives.computeIfAbsent(pod.uid(), uid -> begin(pod));
        life.pod = pod;
        life.slots.stream().filter(slot -> slot.run != null).forEach(slot -> slot.run.pod(pod));
        if (pod.deletion().isPresent()) {
            end(life, now);
            lives.remove(pod.uid());
            hand.purge(pod.key());
            return Instant.MAX;
        }
        if (life.ended) {
            return Instant.MAX;
        }
        Instant boot = world.read(w -> w.nodes.get(pod.node()).bootedAt);
        if (boot.isAfter(life.boot)) {
            end(life, now);
            life.slots.forEach(Slot::again);
            life.boot = boot;
        }
        life.held = held(pod);
        Instant due = life.held.isEmpty() ? containers(life, now) : Instant.MAX;
        write(life, now);
        return due;
    }

    private Life begin(PodFacts pod) {
        Life life = new Life();
        JsonNode spec = pod.object().tree().path("spec");
        spec.path("initContainers").forEach(c -> life.slots.add(new Slot((ObjectNode) c, true)));
        spec.path("containers").forEach(c -> life.slots.add(new Slot((ObjectNode) c, false)));
        return life;
    }

    /** What keeps the pod from starting. */
    private String held(PodFacts pod) {
        JsonNode spec = pod.object().tree().path("spec");
        for (JsonNode volume : spec.path("volumes")) {
            String map = volume.at("/configMap/name").asText("");
            if (!map.isEmpty() && hand.find(new ObjectKey(Resource.core("configmaps"), pod.key().namespace(), map))
                    .isEmpty()) {
                return "MountVolume.SetUp failed for volume \"" + volume.path("name").asText() + "\" : configmap \"" + map
                        + "\" not found";
            }
        }
        String runtime = spec.path("runtimeClassName").asText("");
        if (!runtime.isEmpty()) {
            Optional<String> handler = hand.find(new ObjectKey(CLASSES, "", runtime))
                    .map(found -> found.tree().path("handler").asText());
            if (handler.isEmpty()) {
                return "RuntimeClass \"" + runtime + "\" not found";
            }
            boolean known = world.read(w -> w.nodes.get(pod.node()).toolkitReady);
            boolean started = lives.get(pod.uid()) != null && lives.get(pod.uid()).slots.stream()
                    .anyMatch(slot -> slot.run != null || slot.done);
            if (handler.get().startsWith("nvidia") && !known && !started) {
                return "no runtime for \"" + handler.get() + "\" is configured";
            }
        }
        return "";
    }

    private Instant containers(Life life, Instant now) {
        Instant due = Instant.MAX;
        for (Slot slot : life.slots) {
            if (slot.init && slot.done) {
                continue;
            }
            Instant wanted = step(life, slot, now);
            due = wanted.isBefore(due) ? wanted : due;
            if (slot.init && !slot.done) {
                return due;
            }
        }
        return due;
    }

    private Instant step(Life life, Slot slot, Instant now) {
        if (slot.done) {
            return Instant.MAX;
        }
        if (slot.run == null) {
            if (now.isBefore(slot.next)) {
                return slot.next;
            }
            Optional<Program> program = programs.find(slot.container.path("image").asText(), life.pod.object().tree(),
                    slot.container);
            if (program.isEmpty()) {
                slot.state = "ImagePullBackOff";
                return Instant.MAX;
            }
            slot.program = program.get();
            slot.run = new TinyRun(hand, life.pod, slot.container, now, slot.restarts, book(life.pod.node()));
            slot.state = "Running";
        }
        long limit = PodRequests.quantities(slot.container.at("/resources/limits")).getOrDefault("memory",
                Long.MAX_VALUE);
        Doing doing = slot.program.memoryBytes(slot.run, now) > limit ? new Doing.Ended(137, "OOMKilled", now)
                : slot.program.look(slot.run, now);
        return switch (doing) {
            case Doing.Goes goes -> {
                slot.ready = goes.ready();
                yield goes.lookAgain();
            }
            case Doing.Ended ended -> finish(slot, ended, now);
        };
    }

    private Instant finish(Slot slot, Doing.Ended ended, Instant now) {
        slot.previous = slot.program.log(slot.run, now).stream().map(LogSource.Line::text).toList();
        slot.program.ended(slot.run, now);
        slot.run = null;
        slot.ready = false;
        slot.exitCode = ended.exitCode();
        slot.done = ended.exitCode() == 0 && (slot.init || slot.container.path("once").asBoolean(true));
        if (slot.done) {
            slot.state = "Completed";
            return now.plusMillis(1);
        }
        slot.state = ended.message().equals("OOMKilled") ? "OOMKilled" : "CrashLoopBackOff";
        slot.lastState = slot.state;
        slot.next = now.plus(Duration.ofSeconds(Math.min(300, 10L << Math.min(5, slot.restarts))));
        slot.restarts++;
        return slot.next;
    }

    TinyBook book(String node) {
        return books.computeIfAbsent(node, n -> new TinyBook(hand, n));
    }

    private void write(Life life, Instant now) {
        boolean all = life.slots.stream().filter(slot -> !slot.init).allMatch(slot -> slot.ready);
        life.ended = life.slots.stream().allMatch(slot -> slot.done);
        hand.status(life.pod.key(), object -> {
            ObjectNode status = object.withObjectProperty("status");
            status.put("phase", life.ended ? "Succeeded" : life.slots.stream().filter(s -> !s.init)
                    .allMatch(s -> s.run != null) ? "Running" : "Pending");
            status.put("message", life.held);
            ObjectNode ready = Json.object().put("type", "Ready").put("status", all && !life.ended ? "True" : "False")
                    .put("lastTransitionTime", now.truncatedTo(java.time.temporal.ChronoUnit.SECONDS).toString());
            if (!object.at("/status/conditions/0/status").equals(ready.path("status"))) {
                ((ArrayNode) status.putArray("conditions")).add(ready);
            }
        });
    }

    /** State, exit code and output of a container, for the tests. */
    record Seen(String state, String lastState, int exitCode, int restarts, boolean ready, List<String> log, List<String> previous) {
    }

    Optional<Seen> seen(PodFacts pod, String container, Instant now) {
        return Optional.ofNullable(lives.get(pod.uid())).stream().flatMap(life -> life.slots.stream())
                .filter(slot -> slot.container.path("name").asText().equals(container)).findFirst()
                .map(slot -> new Seen(slot.state, slot.lastState, slot.exitCode, slot.restarts, slot.ready, slot.run == null ? List.of()
                        : slot.program.log(slot.run, now).stream().map(LogSource.Line::text).toList(), slot.previous));
    }
}
