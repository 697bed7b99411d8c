package dev.pitwall;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabLogin;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.lab.world.PassingState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes of the command line as a person starts them. One is killed while the host that it reboots is down, and the same
 * command ends its run. None of them lets a secret out, with everything in the log.
 */
class KilledProcessTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONG = Duration.ofSeconds(120);
    /** Lab seconds a real one. */
    private static final double SPEED = 500;

    @TempDir
    private static Path dir;
    private static Lab lab;
    private static Path site;
    private static ListAppender<ILoggingEvent> commands;

    /** What went into each process and came out. */
    private final List<String> seen = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        lab = Lab.start(LabOptions.garage(dir.resolve("lab")).withScene("workshop").withSpeed(SPEED));
        site = siteWithPasswordAndToken();
        commands = new ListAppender<>();
        commands.start();
        labMachines().setAdditive(false);
        labMachines().setLevel(Level.DEBUG);
        labMachines().addAppender(commands);
    }

    @AfterAll
    static void stop() {
        labMachines().detachAppender(commands);
        labMachines().setLevel(null);
        labMachines().setAdditive(true);
        lab.close();
    }

    private static Logger labMachines() {
        return (Logger) LoggerFactory.getLogger("dev.pitwall.lab.ssh.MachineSession");
    }

    /** pve1 as root@pam with the password, the others with their tokens. */
    private static Path siteWithPasswordAndToken() throws IOException {
        ObjectNode tree = (ObjectNode) JSON.readTree(lab.siteFile().toFile());
        ObjectNode first = (ObjectNode) tree.path("proxmox").path(0);
        first.remove(List.of("token", "secret"));
        first.put("user", "root@pam").put("password", rootPassword());
        return Files.writeString(lab.dir().resolve("site-root.json"), JSON.writeValueAsString(tree));
    }

    private static String rootPassword() {
        return lab.logins().stream().filter(l -> l.user().equals("root@pam")).map(LabLogin::password).findFirst()
                .orElseThrow();
    }

    private static List<String> secrets() throws IOException {
        List<String> secrets = new ArrayList<>(lab.logins().stream().map(LabLogin::password).toList());
        for (JsonNode access : JSON.readTree(lab.siteFile().toFile()).path("proxmox")) {
            secrets.add(access.path("secret").asText());
        }
        Files.readAllLines(lab.dir().resolve("id_ed25519")).stream().filter(l -> l.length() > 20 && !l.startsWith("-----"))
                .forEach(secrets::add);
        assertThat(secrets).hasSizeGreaterThan(5).doesNotContain("");
        return secrets;
    }

    private final class Child {
        private final Process process;
        private final Path out;
        private final Path err;

        Child(String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1", "-Xshare:auto", "--enable-native-access=ALL-UNNAMED", "-Dpitwall.log=DEBUG",
                    "-cp", System.getProperty("java.class.path"), "dev.pitwall.Pitwall"));
            command.addAll(List.of(arguments));
            out = Files.createTempFile(dir, "out", ".txt");
            err = Files.createTempFile(dir, "err", ".txt");
            ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().put("PITWALL_HOME", home().toString());
            process = builder.start();
            seen.add(arguments());
        }

        /** As everybody on the computer can see them. */
        private String arguments() {
            Path shown = Path.of("/proc", Long.toString(process.pid()), "cmdline");
            return Awaitility.await().atMost(LONG).until(() -> Files.readString(shown, StandardCharsets.ISO_8859_1),
                    text -> text.contains("dev.pitwall.Pitwall"));
        }

        /** @return the exit code */
        int end() throws Exception {
            assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).as("%s", this).isTrue();
            seen.add(out());
            seen.add(Files.readString(err));
            return process.exitValue();
        }

        String out() throws IOException {
            return Files.readString(out);
        }

        @Override
        public String toString() {
            try {
                return out() + Files.readString(err).lines().filter(l -> !l.contains("DEBUG")).toList();
            } catch (IOException e) {
                return e.getMessage();
            }
        }
    }

    private static Path home() {
        return dir.resolve("home");
    }

    private Child pitwall(String command, String... more) throws IOException {
        return new Child(Stream.concat(Stream.of(command, "--site", site.toString()), Stream.of(more)).toArray(String[]::new));
    }

    @Test
    void theSameCommandEndsWhatWasKilledWhileTheHostWasDown() throws Exception {
        int boots = boots();
        for (String kind : List.of("bash", "ansible", "terraform")) {
            seen.add(export(kind));
        }
        try (PassingState down = PassingState.of(lab.world(), SPEED, w -> w.hosts.get("pve1").off)) {
            Child killed = pitwall("apply", "--card", "pve1", "--set", "vm=110", "--to", "vm", "--yes");
            Awaitility.await().atMost(LONG).until(() -> down.isThere() || !killed.process.isAlive());
            assertThat(killed.process.isAlive()).as("%s", killed).isTrue();
            killed.process.destroyForcibly();
            assertThat(killed.end()).isNotZero();
        }

        Child second = pitwall("apply", "--card", "pve1", "--set", "vm=110", "--to", "vm", "--yes", "--json");
        assertThat(second.end()).as("%s", second).isZero();
        JsonNode run = JSON.readTree(second.out());
        assertThat(run.path("run").asInt()).as("the same run").isEqualTo(1);
        assertThat(run.path("state").asText()).isEqualTo("done");
        assertThat(boots()).isEqualTo(boots + 1);
        assertThat(lab.world().<Map<String, String>>read(w -> new HashMap<>(w.vms.get(110).running))).containsKey("hostpci0");

        assertThat(pitwall("journal", "--run", "1", "--json").end()).isZero();
        nothingHasASecret();
    }

    /** Of a plan that was made with the token. */
    private static String export(String kind) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = new Commands(new PrintWriter(out), new PrintWriter(err)).run("plan", "--site", lab.siteFile().toString(),
                "--card", "pve1", "--set", "vm=110", "--to", "vm", "--export", kind);
        assertThat(exit).as(err.toString()).isZero();
        return out + err.toString();
    }

    private static int boots() {
        return lab.world().<Integer>read(w -> w.hosts.get("pve1").system.pastBoots.size());
    }

    /** Labs of other classes go on talking into the same log. */
    private static List<String> told() {
        synchronized (commands) {
            return commands.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        }
    }

    private void nothingHasASecret() throws Exception {
        List<String> secrets = secrets();
        assertThat(seen).hasSize(12).anyMatch(s -> s.contains("pitwall.Pitwall")).anyMatch(s -> s.contains("DEBUG"));
        List<String> told = told();
        assertThat(told).as("what the lab's machines were told").hasSizeGreaterThan(20);
        for (String text : Stream.concat(seen.stream(), told.stream()).toList()) {
            assertThat(text).doesNotContain(secrets);
        }
        try (Stream<Path> kept = Files.walk(home())) {
            List<Path> files = kept.filter(Files::isRegularFile).toList();
            assertThat(files).anyMatch(f -> f.endsWith("pitwall.db"));
            for (Path file : files) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).as("%s", file).doesNotContain(secrets);
            }
        }
    }
}
