package dev.pitwall.link.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class ClusterWatchThreadsTest {
    @TempDir
    private Path folder;
    private final TestApi one = new TestApi();
    private final TestApi two = new TestApi();

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private ClusterWatch started(TestApi api) throws Exception {
        Path own = Files.createDirectories(folder.resolve(Integer.toString(api.port())));
        ClusterWatch watch = new ClusterWatch(KubeconfigText.access(own, "server: http://127.0.0.1:" + api.port(),
                "token: t"), TimeLimits.usual(), new NetworkTrouble(new Words()), InstantSource.system(),
                ClusterWatchTest.FAST);
        watch.start(() -> { });
        return watch;
    }

    @Test
    void closingOneOfTwoClustersLeavesNothingOfItBehind() throws Exception {
        Set<Thread> before = platformThreads();
        ClusterWatch first = started(one);
        ClusterWatch second = started(two);
        await().until(() -> first.current().live() && second.current().live());
        await().until(() -> one.openWatches() == 4 && two.openWatches() == 4);
        first.close();
        await().until(() -> one.openWatches() == 0);
        await().until(() -> one.connections() == 0);
        assertThat(two.openWatches()).isEqualTo(4);
        assertThat(second.current().live()).isTrue();
        second.close();
        await().until(() -> two.connections() == 0);
        await().untilAsserted(() -> assertThat(platformThreads().stream().filter(thread -> !before.contains(thread))
                .map(Thread::getName).filter(name -> !name.startsWith("XNIO") && !name.startsWith("awaitility")))
                .isEmpty());
    }

    private static Set<Thread> platformThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().contains("ForkJoinPool")
                        && !thread.getName().contains("VirtualThread-unblocker")
                        // OkHttp's own task threads are shared by every client of the process and idle out by themselves.
                        && !thread.getName().startsWith("OkHttp TaskRunner")
                        && !thread.getName().startsWith("OkHttp ConnectionPool")
                        && !thread.getName().startsWith("Okio Watchdog")).collect(Collectors.toSet());
    }
}
