package dev.pitwall.link.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the plugins here are shell scripts")
class ExecPluginTest {
    private static final String VERSION = "client.authentication.k8s.io/v1";

    @TempDir
    private Path folder;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private ExecPlugin plugin(String script, String more, Duration limit) throws Exception {
        Path file = Files.writeString(folder.resolve("plugin"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return plugin("command: ./plugin\n" + more, limit);
    }

    private ExecPlugin plugin(String exec, Duration limit) throws Exception {
        String user = "exec:\n" + ("apiVersion: " + VERSION + "\ninteractiveMode: Never\n" + exec).indent(2);
        Kubeconfig.Target target = KubeconfigReader.read(KubeconfigText.access(folder, "server: https://x:6443", user)
                .kubeconfigs()).target(Optional.empty());
        return new ExecPlugin(target.user().exec().orElseThrow(), target, limit, () -> now);
    }

    private static String printing(String status) {
        return "cat <<END\n{\"apiVersion\":\"" + VERSION + "\",\"kind\":\"ExecCredential\",\"status\":" + status
                + "}\nEND";
    }

    private static Trouble trouble(ExecPlugin plugin) {
        Trouble trouble = catchThrowableOfType(TroubleException.class, plugin::credential).trouble();
        assertThat(trouble.what() + trouble.next()).doesNotContain("Exception").doesNotContain("hush");
        assertThat(trouble.where()).contains("config line");
        return trouble;
    }

    @Test
    void aTokenIsKeptUntilItExpires() throws Exception {
        ExecPlugin plugin = plugin("echo run >> \"$(dirname \"$0\")/runs\"\n" + printing(
                "{\"token\":\"t1\",\"expirationTimestamp\":\"2026-01-01T01:00:00Z\"}"), "", Duration.ofSeconds(20));
        assertThat(plugin.credential().token()).contains("t1");
        plugin.credential();
        assertThat(runs()).isEqualTo(1);
        plugin.refused();
        plugin.credential();
        assertThat(runs()).isEqualTo(2);
        plugin.refused();
        plugin.credential();
        assertThat(runs()).as("not again at once").isEqualTo(2);
        now = now.plus(Duration.ofMinutes(60));
        plugin.credential();
        assertThat(runs()).isEqualTo(3);
        assertThat(plugin.credential().toString()).doesNotContain("t1");
    }

    private long runs() throws IOException {
        return Files.readAllLines(folder.resolve("runs")).size();
    }

    @Test
    void argumentsEnvironmentAndClusterAreHandedOver() throws Exception {
        ExecPlugin plugin = plugin("case \"$KUBERNETES_EXEC_INFO\" in *https://x:6443*) C=yes;; *) C=no;; esac\n"
                + printing("{\"token\":\"$1-$PLUGIN_PLACE-$C\"}"),
                "args: [login]\nenv: [{name: PLUGIN_PLACE, value: here}]\nprovideClusterInfo: true\n",
                Duration.ofSeconds(20));
        assertThat(plugin.credential().token()).contains("login-here-yes");
    }

    @Test
    void aCommandThatFailsShowsItsFirstErrorLineAndNothingItPrinted() throws Exception {
        Trouble trouble = trouble(plugin("echo hush\necho 'error: please log in' >&2\necho more >&2\nexit 3", "",
                Duration.ofSeconds(20)));
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.CREDENTIALS);
        assertThat(trouble.what()).isEqualTo("the exec plugin ./plugin ended with code 3: error: please log in");
        assertThat(trouble.next()).startsWith("Run \"plugin\" in a terminal");
    }

    @Test
    void garbageIsNotRepeated() throws Exception {
        Trouble trouble = trouble(plugin("echo '{\"hush\": '", "", Duration.ofSeconds(20)));
        assertThat(trouble.what()).isEqualTo("the exec plugin ./plugin printed something that is not a credential");
        assertThat(trouble(plugin("echo '[]'", "", Duration.ofSeconds(20))).what()).contains("not a credential");
        assertThat(trouble(plugin("true", "", Duration.ofSeconds(20))).what()).contains("not a credential");
        assertThat(trouble(plugin(printing("{}"), "", Duration.ofSeconds(20))).what())
                .contains("neither a token nor a certificate");
    }

    @Test
    void aCommandThatHangsIsEndedWithItsChildren() throws Exception {
        String child = "sleep 300." + ProcessHandle.current().pid();
        Trouble trouble = trouble(plugin(child + " &\nwait", "", Duration.ofMillis(400)));
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.CREDENTIALS);
        assertThat(trouble.what()).contains("did not finish within");
        // A child whose parent has ended belongs to no one here, and a killed one is there for a moment yet.
        await().untilAsserted(() -> assertThat(ProcessHandle.allProcesses().filter(ProcessHandle::isAlive)
                .filter(handle -> handle.info().commandLine().orElse("").contains(child))).isEmpty());
    }

    @Test
    void aCommandThatIsNotThereComesWithItsInstallHint() throws Exception {
        Trouble trouble = trouble(plugin("command: no-such-login\ninstallHint: Install it from the shelf.\n",
                Duration.ofSeconds(20)));
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.MISSING);
        assertThat(trouble.what()).contains("no-such-login is not installed");
        assertThat(trouble.next()).isEqualTo("Install it from the shelf.");
    }
}
