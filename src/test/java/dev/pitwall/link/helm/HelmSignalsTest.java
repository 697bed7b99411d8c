package dev.pitwall.link.helm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.helm.Chart;
import dev.pitwall.lab.helm.Charts;
import dev.pitwall.lab.helm.RealHelm;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process in which Helm has worked ends by a signal as before, in order. */
class HelmSignalsTest {
    private static final int TERMINATED = 143;

    /** Renders a chart, which installs Go's handlers as an install does, and waits for its end. */
    static final class Program {
        public static void main(String[] arguments) throws Exception {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("ended in order")));
            try (HelmThread thread = new HelmThread()) {
                thread.call(() -> com.marcnuri.helm.Helm.template(arguments[0]).call());
                System.out.println("rendered");
                Thread.currentThread().join();
            }
        }
    }

    @Test
    void ctrlCAndKillStillEndTheProcess(@TempDir Path dir) throws Exception {
        RealHelm.require();
        Chart chart = Charts.load().all().stream().filter(c -> c.name().equals("ollama")).findFirst().orElseThrow();
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                Program.class.getName(), RealHelm.unpack(chart, dir).toString()).redirectErrorStream(true).start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(),
                StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).isEqualTo("rendered");
            process.toHandle().destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
            List<String> rest = out.lines().toList();
            assertThat(process.exitValue()).isEqualTo(TERMINATED);
            assertThat(rest).contains("ended in order");
        } finally {
            process.destroyForcibly();
        }
    }
}
