package dev.pitwall.lab.kube.seed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.NameSuffix;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.Timestamp;
import dev.pitwall.lab.world.World;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Any number of plain pods with a steady rate of changes, for scale. They are put into the store as they are when they
 * run, without scheduler and admission, and their kubelets take them over; a change is, turn by turn, a pod that goes,
 * the pod that comes for it, and that pod's start. They appear when the present begins.
 */
public final class FleetPods implements Controller {
    private static final int SPACES = 20;
    /** Changes are made in bundles this far apart, so that a busy fleet does not wake the loop for each. */
    private static final Duration BUNDLE = Duration.ofMillis(200);
    /** At most so much is made up for after a pause. */
    private static final double LONGEST_PAUSE_SECONDS = 1;

    private final ObjectStore store;
    private final ClusterClock clock;
    private final Instant present;
    private final List<String> nodes;
    private final int count;
    private final double perSecond;
    private final Random random = new Random(7);
    private final int[] generation;
    private boolean started;
    private Instant last = Instant.MIN;
    private double due;
    private int victim;
    private int step;

    /** @param present the moment at which the lab's present begins */
    public FleetPods(World world, ObjectStore store, ClusterClock clock, Instant present) {
        this.present = present;
        this.store = store;
        this.clock = clock;
        this.nodes = world.read(w -> w.nodes.values().stream()
                .filter(node -> node.cards.isEmpty() && node.taints.isEmpty() && !node.role.equals("master"))
                .map(node -> node.name).toList());
        this.count = world.read(w -> nodes.isEmpty() ? 0 : w.pods);
        this.perSecond = world.read(w -> w.podChangesPerSecond);
        this.generation = new int[count];
    }

    @Override
    public Set<Resource> watches() {
        return Set.of();
    }

    @Override
    public Instant act(Instant now) {
        if (count == 0) {
            return Instant.MAX;
        }
        if (clock.isPast()) {
            return now.isBefore(present) ? present : now.plusMillis(1);
        }
        if (!started) {
            started = true;
            begin(now);
            last = now;
        }
        if (perSecond <= 0) {
            return Instant.MAX;
        }
        double seconds = Math.min(LONGEST_PAUSE_SECONDS, Duration.between(last, now).toMillis() / 1000.0);
        last = now;
        for (due += seconds * perSecond; due >= 1; due--) {
            change(now);
        }
        Duration wait = Duration.ofMillis(Math.max(BUNDLE.toMillis(), Math.round((1 - due) / perSecond * 1000)));
        return now.plus(wait);
    }

    private void begin(Instant now) {
        IntStream.range(1, SPACES).mapToObj(i -> "team-" + i).forEach(this::space);
        space("web");
        for (int i = 0; i < count; i++) {
            Instant born = now.minusSeconds(600L + i % 86_400);
            create(i, born, born.plusSeconds(4));
        }
    }

    private void space(String name) {
        ObjectKey key = new ObjectKey(Resource.NAMESPACES, "", name);
        if (store.find(key).isEmpty()) {
            ObjectNode space = Json.object();
            space.putObject("metadata").putObject("labels").put("kubernetes.io/metadata.name", name);
            space.putObject("spec").putArray("finalizers").add("kubernetes");
            space.putObject("status").put("phase", "Active");
            store.create(key, space);
        }
    }

    private void change(Instant now) {
        switch (step) {
            case 0 -> {
                victim = random.nextInt(count);
                store.purge(key(victim));
                generation[victim]++;
            }
            case 1 -> store.put(key(victim), pending(victim, now));
            default -> store.put(key(victim), running(victim, now.minusSeconds(2), now));
        }
        step = (step + 1) % 3;
    }

    private void create(int index, Instant born, Instant started) {
        if (store.find(key(index)).isEmpty()) {
            store.create(key(index), running(index, born, started));
        }
    }

    private ObjectKey key(int index) {
        return new ObjectKey(Resource.PODS, index % SPACES == 0 ? "web" : "team-" + index % SPACES, name(index));
    }

    private static String set(int index) {
        return "app-" + index / 10 + "-" + suffix("app" + index / 10, 9);
    }

    private String name(int index) {
        return set(index) + "-" + suffix("fleet" + index + "/" + generation[index], 5);
    }

    private ObjectNode pod(int index, Instant born) {
        ObjectNode pod = Json.object();
        ObjectNode metadata = pod.putObject("metadata").put("creationTimestamp", Timestamp.of(born))
                .put("uid", uuid("fleet" + index + "/" + generation[index]).toString());
        metadata.putObject("labels").put("app", "app-" + index / 10).put("tier", index % 3 == 0 ? "front" : "back");
        ObjectNode spec = pod.putObject("spec").put("nodeName", nodes.get(index % nodes.size()))
                .put("restartPolicy", "Always").put("serviceAccountName", "default")
                .put("schedulerName", "default-scheduler").put("terminationGracePeriodSeconds", 30)
                .put("dnsPolicy", "ClusterFirst");
        ObjectNode container = spec.putArray("containers").addObject().put("name", "app")
                .put("image", image(index)).put("imagePullPolicy", "IfNotPresent");
        container.putArray("ports").addObject().put("name", "http").put("containerPort", 8080).put("protocol", "TCP");
        ObjectNode resources = container.putObject("resources");
        resources.putObject("requests").put("cpu", "20m").put("memory", "32Mi");
        resources.putObject("limits").put("memory", "64Mi");
        spec.putArray("tolerations").addObject().put("key", "node.kubernetes.io/not-ready").put("operator", "Exists")
                .put("effect", "NoExecute").put("tolerationSeconds", 300);
        return pod;
    }

    private ObjectNode pending(int index, Instant now) {
        ObjectNode pod = pod(index, now);
        ObjectNode status = pod.putObject("status").put("phase", "Pending").put("qosClass", "Burstable");
        status.putArray("conditions").addObject().put("type", "PodScheduled").put("status", "True")
                .put("lastTransitionTime", Timestamp.of(now));
        return pod;
    }

    private ObjectNode running(int index, Instant born, Instant started) {
        ObjectNode pod = pod(index, born);
        String since = Timestamp.of(started);
        ObjectNode status = pod.putObject("status").put("phase", "Running").put("qosClass", "Burstable")
                .put("startTime", Timestamp.of(born)).put("podIP", address(index));
        status.putArray("podIPs").addObject().put("ip", address(index));
        for (String type : List.of("PodScheduled", "PodReadyToStartContainers", "Initialized", "ContainersReady",
                "Ready")) {
            status.withArray("conditions").addObject().put("type", type).put("status", "True")
                    .put("lastTransitionTime", since);
        }
        ObjectNode container = status.putArray("containerStatuses").addObject().put("name", "app")
                .put("image", image(index)).put("imageID", "registry.example/app@sha256:" + hex("image" + index % 7))
                .put("containerID", "containerd://" + hex("fleet" + index + "/" + generation[index]))
                .put("ready", true).put("started", true).put("restartCount", 0);
        container.putObject("state").putObject("running").put("startedAt", since);
        container.putObject("lastState");
        return pod;
    }

    private static String image(int index) {
        return "registry.example/app:" + index % 7;
    }

    /** Of a network that no node hands out addresses from. */
    private String address(int index) {
        return "10.64." + index / 250 % 250 + "." + (1 + index % 250);
    }

    private static UUID uuid(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String hex(String text) {
        return (uuid(text) + "" + uuid(text + "+")).replace("-", "");
    }

    /** Letters and digits as Kubernetes puts them behind names. */
    private static String suffix(String text, int length) {
        long bits = uuid(text).getMostSignificantBits() ^ uuid(text).getLeastSignificantBits();
        return NameSuffix.of(new Random(bits), length);
    }
}
