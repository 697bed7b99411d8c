package dev.pitwall.lab.kube.operator.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Programs;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.operator.program.Ground;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** What runs in Node Feature Discovery's image. The master's and the collector's work is done by {@link Master}. */
public final class DiscoveryPrograms implements Programs {
    private static final Pattern IMAGE = Pattern.compile(
            "registry\\.k8s\\.io/nfd/node-feature-discovery:v0\\.1\\d\\.\\d.*");
    private final Ground ground;

    public DiscoveryPrograms(Ground ground) {
        this.ground = ground;
    }

    @Override
    public Optional<Program> find(String image, JsonNode pod, JsonNode container) {
        if (!IMAGE.matcher(image).matches()) {
            return Optional.empty();
        }
        String command = container.at("/command/0").asText(container.path("name").asText());
        boolean prunes = StreamSupport.stream(container.path("args").spliterator(), false)
                .anyMatch(word -> word.asText().equals("-prune"));
        return Optional.of(prunes ? new Prune(ground) : command.contains("worker") ? new Worker(ground)
                : new Server(command.contains("gc") ? "nfd-gc" : "nfd-master"));
    }

    /** A process that is ready a few seconds after its start. */
    private final class Server implements Program {
        private static final Duration STARTS = Duration.ofSeconds(4);
        private final String script;

        Server(String script) {
            this.script = script;
        }

        @Override
        public Doing look(Run run, Instant now) {
            return Doing.readyAt(run.startedAt().plus(STARTS), now);
        }

        @Override
        public List<LogSource.Line> log(Run run, Instant until) {
            return ground.lines(script, run, until);
        }

        @Override
        public boolean followsWorld() {
            return false;
        }
    }
}
