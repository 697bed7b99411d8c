package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.journey.change.Content;
import dev.pitwall.lab.ssh.GarageWorld;
import dev.pitwall.lab.ssh.SshServers;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.world.World;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.store.MemorySecrets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Files of a machine of the lab, over SFTP and through its shell alike. */
class RemoteFileTest {
    private static final NetworkTrouble TROUBLES = new NetworkTrouble(new Words());
    private static final String COPIES = "/var/lib/pitwall/copies/7";

    @TempDir
    private static Path folder;
    private static World world;
    private static SshServers lab;
    private static SshMachine machine;
    private static SshConnector connector;
    private static SshSession session;

    enum Way { SFTP, SHELL }

    @BeforeAll
    static void start() throws Exception {
        world = GarageWorld.fresh();
        lab = new SshServers(world, folder.resolve("lab"), "secret", Optional.empty());
        ShellAccess access = lab.entries().stream().filter(e -> e.name().equals("pve1")).map(e -> new ShellAccess("pve1",
                ShellAccess.Role.PROXMOX_HOST, e.host(), e.port(), e.user(), new ShellAccess.KeyFile(e.keyFile(),
                Optional.empty()), Optional.of(e.hostKey()), Optional.empty())).findFirst().orElseThrow();
        MemorySecrets secrets = new MemorySecrets("memory");
        KnownHosts known = new KnownHosts(List.of());
        machine = new SshMachine(new SshEngine(TestLimits.PATIENT), access, secrets, known, Optional.empty(), TestLimits.PATIENT, TROUBLES);
        connector = new SshConnector(new SshEngine(TestLimits.PATIENT), known, ShellSecrets.stored(secrets), Optional.empty(), TestLimits.PATIENT,
                TROUBLES);
        session = connector.connect(access);
        session.login();
    }

    @AfterAll
    static void stop() {
        machine.close();
        session.close();
        connector.close();
        lab.close();
    }

    private static RemoteFiles files(Way way) throws IOException {
        ShellFiles shell = new ShellFiles(session, TestLimits.PATIENT.answer());
        return switch (way) {
            case SFTP -> new SftpFiles(session.sftp(), shell);
            case SHELL -> shell;
        };
    }

    private static void write(Way way, String path, Content content, String copy) throws Exception {
        try (RemoteFiles files = files(way)) {
            new RemoteFile(files, path).write(content, copy);
        }
    }

    private static Content read(Way way, String path) throws Exception {
        try (RemoteFiles files = files(way)) {
            return new RemoteFile(files, path).read();
        }
    }

    private static String ask(String... command) throws Exception {
        return machine.run(command).output().strip();
    }

    @ParameterizedTest
    @EnumSource
    void aNewFileHasTheBytesAndItsFolders(Way way) throws Exception {
        String path = "/etc/new-" + way + "/below/zz-pitwall.conf";
        byte[] bytes = "options vfio-pci ids=10de:25b0\n# ä\u0000 'quoted' $HOME\n".getBytes(StandardCharsets.UTF_8);
        assertThat(read(way, path)).isEqualTo(Content.ABSENT);
        write(way, path, new Content.Bytes(bytes), "/var/lib/no-copies" + way + path);
        assertThat(read(way, path)).isEqualTo(new Content.Bytes(bytes));
        assertThat(ask("stat", "-c", "%a", path)).isEqualTo("644");
        assertThat(ask("ls", "-A", "/etc/new-" + way + "/below")).isEqualTo("zz-pitwall.conf");
        assertThat(read(way, "/var/lib/no-copies" + way + path)).as("nothing was there to be copied").isEqualTo(Content.ABSENT);
    }

    @ParameterizedTest
    @EnumSource
    void aReplacedFileKeepsItsModeAndTheOldBytesAreKeptFirst(Way way) throws Exception {
        String path = "/etc/kernel-" + way;
        ask("sh", "-c", "printf 'root=ZFS=rpool/ROOT/pve-1' > " + path + "; chmod 600 " + path);
        write(way, path, Content.of("root=ZFS=rpool/ROOT/pve-1 intel_iommu=on\n"), COPIES + way + path);
        assertThat(read(way, path).text()).isEqualTo("root=ZFS=rpool/ROOT/pve-1 intel_iommu=on\n");
        assertThat(ask("stat", "-c", "%a", path)).isEqualTo("600");
        assertThat(read(way, COPIES + way + path).text()).isEqualTo("root=ZFS=rpool/ROOT/pve-1");
        assertThat(ask("stat", "-c", "%a", COPIES + way)).isEqualTo("700");
        assertThat(ask("stat", "-c", "%a", COPIES + way + path)).isEqualTo("600");
    }

    @ParameterizedTest
    @EnumSource
    void aFileBehindALinkIsReplacedAndTheLinkStays(Way way) throws Exception {
        ask("sh", "-c", "mkdir -p /srv/" + way + "; printf old > /srv/" + way + "/real; ln -s /srv/" + way + "/real /etc/link-"
                + way);
        write(way, "/etc/link-" + way, Content.of("new"), "");
        assertThat(ask("readlink", "/etc/link-" + way)).isEqualTo("/srv/" + way + "/real");
        assertThat(ask("cat", "/srv/" + way + "/real")).isEqualTo("new");
    }

    @ParameterizedTest
    @EnumSource
    void aFileIsRemovedAndRemovingItAgainIsNoTrouble(Way way) throws Exception {
        String path = "/etc/modprobe.d/gone-" + way + ".conf";
        write(way, path, Content.of("x\n"), "");
        write(way, path, Content.ABSENT, COPIES + way + path);
        assertThat(read(way, path)).isEqualTo(Content.ABSENT);
        assertThat(read(way, COPIES + way + path).text()).isEqualTo("x\n");
        write(way, path, Content.ABSENT, "");
        assertThat(read(way, path)).isEqualTo(Content.ABSENT);
    }

    @ParameterizedTest
    @EnumSource
    void whatADeadRunLeftBesideIsNoHindrance(Way way) throws Exception {
        String path = "/etc/modprobe.d/half-" + way + ".conf";
        ask("sh", "-c", "printf half > /etc/modprobe.d/.half-" + way + ".conf.pitwall-new");
        write(way, path, Content.of("whole\n"), "");
        assertThat(read(way, path).text()).isEqualTo("whole\n");
        assertThat(ask("find", "/etc/modprobe.d", "-name", ".*")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aFolderIsNoFile(Way way) {
        assertThatThrownBy(() -> read(way, "/etc/modprobe.d")).isInstanceOf(RemoteFiles.Refused.class)
                .hasMessageContaining("no plain file");
        assertThatThrownBy(() -> write(way, "/etc/modprobe.d", Content.of("x"), ""))
                .isInstanceOf(RemoteFiles.Refused.class);
    }

    @ParameterizedTest
    @EnumSource
    void aFileOfTheKernelIsReadToItsEnd(Way way) throws Exception {
        assertThat(read(way, "/proc/cmdline").text()).isEqualTo(ask("cat", "/proc/cmdline") + "\n");
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedWriteLeavesNothingBehind(Way way) throws Exception {
        assertThatThrownBy(() -> write(way, "/proc/sys/kernel/new.conf", Content.of("x"), ""))
                .isInstanceOf(RemoteFiles.Refused.class);
        assertThat(ask("find", "/proc", "-name", "*pitwall*")).isEmpty();
    }

    @Test
    void withoutItsOwnRenameSftpUsesTheShells() throws Exception {
        try (RemoteFiles files = files(Way.SHELL)) {
            files.create("/etc/a.tmp", "a".getBytes(StandardCharsets.UTF_8), RemoteFiles.Facts.NEW);
            files.create("/etc/b.conf", "b".getBytes(StandardCharsets.UTF_8), RemoteFiles.Facts.NEW);
            files.replace("/etc/a.tmp", "/etc/b.conf");
        }
        assertThat(ask("cat", "/etc/b.conf")).isEqualTo("a");
    }

    @Test
    void aTroubleNamesFileAndReason() {
        Trouble trouble = Troubles.of(() -> machine.write("/proc/sys/new.conf", Content.of("x"), ""));
        assertThat(trouble.sentence()).contains("/proc/sys/new.conf");
        assertThat(trouble.kind()).isIn(Kind.RIGHTS, Kind.REMOTE);
    }

    @Test
    void contentsAreInNoCommandLine() throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        Command sh = lab.commands().find("sh", lab.machine("pve1").orElseThrow().state()).orElseThrow();
        lab.commands().add("sh", call -> {
            lines.addAll(call.arguments());
            return sh.run(call);
        });
        write(Way.SHELL, "/etc/secretly.conf", Content.of("very special words\n"), "");
        lab.commands().add("sh", sh);
        assertThat(lines).isNotEmpty().noneMatch(line -> line.contains("special"));
        assertThat(read(Way.SFTP, "/etc/secretly.conf").text()).isEqualTo("very special words\n");
    }
}
