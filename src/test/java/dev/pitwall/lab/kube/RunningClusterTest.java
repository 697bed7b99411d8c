package dev.pitwall.lab.kube;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.store.Resource;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What has come about in a cluster when the lab's present begins. */
@Isolated
class RunningClusterTest {
    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"garage", "talos", "metal"})
    void everyPodRunsAndNobodyHasFailedOnTheWay(String scene) throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.pitwall.lab");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try (KubeLab lab = KubeLab.scene(dir, scene)) {
            List<JsonNode> pods = lab.server.store().list(Resource.PODS, "").objects().stream()
                    .<JsonNode>map(pod -> pod.tree())
                    // Builds come and go.
                    .filter(pod -> !pod.at("/metadata/namespace").asText().equals("ci")).toList();
            assertThat(pods).hasSizeGreaterThan(10).allSatisfy(pod -> {
                String phase = pod.at("/status/phase").asText();
                assertThat(phase).isIn("Running", "Succeeded");
                assertThat(pod.at("/status/containerStatuses")).isNotEmpty().allMatch(container ->
                        phase.equals("Succeeded") || container.path("ready").asBoolean());
            });
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .extracting(ILoggingEvent::getFormattedMessage).isEmpty();
    }
}
