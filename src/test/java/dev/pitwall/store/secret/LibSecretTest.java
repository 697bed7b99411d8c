package dev.pitwall.store.secret;

import dev.pitwall.lab.client.RealClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Against real buses and a real GNOME keyring, each in a session and a home of its own. */
@EnabledOnOs(OS.LINUX)
class LibSecretTest {
    private static final String UNLOCKED = "printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; ";
    private static final String LOCKED = "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; ";

    @TempDir
    private Path home;

    @BeforeEach
    void needsTheDesktopsPrograms() {
        List.of("dbus-run-session", "gnome-keyring-daemon").forEach(RealClient::named);
    }

    /** What the session prints: one line a call. Runs in a process of its own, since a process has one session bus. */
    public static final class Session {
        private Session() {
        }

        public static void main(String[] calls) {
            for (String call : calls) {
                System.out.println(plain(answer(readable(call).split("=", 2))));
            }
        }

        private static String answer(String[] call) {
            try {
                Keyring keyring = new PatientKeyring(new LibSecret(), Duration.ofSeconds(10));
                return switch (call[0]) {
                    case "put" -> {
                        keyring.put("1/test", call[1]);
                        yield "put";
                    }
                    case "get" -> keyring.get("1/test").orElse("nothing");
                    default -> {
                        keyring.remove("1/test");
                        yield "removed";
                    }
                };
            } catch (KeyringException e) {
                return e.kind() + " " + e.getMessage();
            }
        }
    }

    /** Arguments and output of a process are in the locale's encoding, which may have no umlaut. */
    private static String plain(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String readable(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private List<String> session(String start, String... calls) throws Exception {
        List<String> java = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(), "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), Session.class.getName()));
        Stream.of(calls).map(LibSecretTest::plain).forEach(java::add);
        return run(List.of("dbus-run-session", "--", "sh", "-c", start + "exec \"$@\"", "sh"), java);
    }

    private List<String> run(List<String> prefix, List<String> java) throws Exception {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(java);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("HOME", home.toString());
        builder.environment().put("XDG_RUNTIME_DIR", home.toString());
        List.of("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_DATA_HOME").forEach(builder.environment()::remove);
        Process process = builder.start();
        process.getOutputStream().close();
        List<String> lines = process.inputReader().lines().map(LibSecretTest::readable).toList();
        process.waitFor();
        return lines;
    }

    @Test
    @Timeout(60)
    void anUnlockedKeyringKeepsReplacesAndForgets() throws Exception {
        assertThat(session(UNLOCKED, "get", "put=tök€n", "get", "put=second", "get", "remove", "get", "remove"))
                .containsExactly("nothing", "put", "tök€n", "put", "second", "removed", "nothing", "removed");
    }

    @Test
    @Timeout(60)
    void aLockedKeyringIsSaidAndNotTakenForAnEmptyOne() throws Exception {
        session(UNLOCKED, "put=token");
        assertThat(session(LOCKED, "get", "put=other"))
                .containsExactly("REFUSED the desktop's keyring is locked", "REFUSED the desktop's keyring refused");
        assertThat(session(UNLOCKED, "get")).containsExactly("token");
    }

    @Test
    @Timeout(60)
    void withoutASessionItIsAbsent() throws Exception {
        List<String> java = List.of(ProcessHandle.current().info().command().orElseThrow(), "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), Session.class.getName(), "get");
        assertThat(run(List.of("env"), java))
                .containsExactly("ABSENT there is no desktop session (D-Bus) that a keyring could run in");
    }
}
