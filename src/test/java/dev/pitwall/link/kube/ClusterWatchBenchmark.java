package dev.pitwall.link.kube;

import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;

/**
 * Prints what following a large cluster costs. Run {@code serve} in one process and {@code watch PORT} in another; it
 * is not a test, since its figures depend on the machine.
 */
final class ClusterWatchBenchmark {
    private static final int NODES = 200;
    private static final int GPU_NODES = 64;
    private static final int PODS = 5_000;

    private ClusterWatchBenchmark() {
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("serve")) {
            serve();
        } else {
            watch(Integer.parseInt(arguments[1]));
        }
    }

    private static void serve() throws InterruptedException {
        try (TestApi api = new TestApi()) {
            for (int i = 0; i < NODES; i++) {
                api.put(TestApi.NODES, TestApi.node("node-" + i, i < GPU_NODES));
            }
            for (int i = 0; i < PODS; i++) {
                api.put(TestApi.PODS, pod(i, 0));
            }
            System.out.println("PORT " + api.port() + ", a pod has " + pod(1, 0).toString().length() + " bytes");
            AtomicInteger round = new AtomicInteger();
            each(Duration.ofMillis(20), Duration.ofMinutes(2), () ->
                    api.put(TestApi.PODS, pod(round.incrementAndGet() * 37 % PODS, round.get())));
        }
    }

    /** Does something again and again, for a while. */
    private static void each(Duration period, Duration during, Runnable step) throws InterruptedException {
        try (ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor()) {
            pace.scheduleAtFixedRate(step, 0, period.toMillis(), TimeUnit.MILLISECONDS);
            pace.awaitTermination(during.toMillis(), TimeUnit.MILLISECONDS);
            pace.shutdownNow();
        }
    }

    /** About the size of a real pod, with what real ones are mostly made of. */
    private static ObjectNode pod(int number, int restarts) {
        ObjectNode pod = TestApi.pod("team-" + number % 40, "pod-" + number, "node-" + number % NODES,
                number % NODES < GPU_NODES && number < NODES ? 1 : 0);
        ((ObjectNode) pod.at("/status/containerStatuses/0")).put("restartCount", restarts);
        ArrayNode managed = ((ObjectNode) pod.get("metadata")).putArray("managedFields");
        for (int i = 0; i < 3; i++) {
            ObjectNode fields = managed.addObject().put("manager", "kubelet").putObject("fieldsV1");
            for (int k = 0; k < 40; k++) {
                fields.putObject("f:field-" + k).putObject("k:{\"type\":\"x\"}");
            }
        }
        ArrayNode env = ((ObjectNode) pod.at("/spec/containers/0")).putArray("env");
        for (int i = 0; i < 20; i++) {
            env.addObject().put("name", "VARIABLE_" + i).put("value", "some value of usual length " + i);
        }
        return pod;
    }

    private static void watch(int port) throws Exception {
        Path folder = Files.createTempDirectory("benchmark");
        LongAdder dirty = new LongAdder();
        long before = usedMiB();
        long began = System.nanoTime();
        try (ClusterWatch watch = new ClusterWatch(KubeconfigText.access(folder, "server: http://127.0.0.1:" + port,
                "token: t"), TimeLimits.usual(), new NetworkTrouble(new Words()), InstantSource.system())) {
            watch.start(dirty::increment);
            await().pollInSameThread().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5))
                    .until(() -> watch.current().live());
            long millis = (System.nanoTime() - began) / 1_000_000;
            ClusterReport first = watch.current().value().orElseThrow();
            System.out.printf("first report after %d ms: %d nodes, %d pods kept of %d%n", millis, first.nodes().size(),
                    first.pods().size(), first.podCount());
            System.out.printf("heap: %d MiB before, %d MiB after GC with everything listed%n", before, usedMiB());
            long changes = dirty.sum();
            long cpu = cpuMillis();
            LongAccumulator worst = new LongAccumulator(Math::max, 0);
            LongAdder reads = new LongAdder();
            each(Duration.ofMillis(200), Duration.ofSeconds(15), () -> {
                long start = System.nanoTime();
                watch.current();
                worst.accumulate(System.nanoTime() - start);
                reads.increment();
            });
            System.out.printf("15 s: %d dirty marks, CPU %d ms, %d reads, slowest %.2f ms, heap %d MiB after GC%n",
                    dirty.sum() - changes, cpuMillis() - cpu, reads.sum(), worst.get() / 1e6, usedMiB());
        }
    }

    private static long cpuMillis() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
    }

    private static long usedMiB() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    }
}
