package dev.pitwall.link;

import dev.pitwall.journey.GuestMachine;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.change.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/** A guest without a shell of its own is reached through its agent, over the lab's Proxmox API. */
class GuestMachineTest {
    @RegisterExtension
    static final GarageSystems GARAGE = new GarageSystems();

    private static Machine guest() throws Exception {
        return GARAGE.systems().machine(GuestMachine.name("pve1", 121));
    }

    @Test
    void aCommandIsRunWithItsWordsAsTheyAre() throws Exception {
        Ran ran = guest().run("printf", "%s|", "one two", "$HOME", "it's");

        assertThat(ran.ok()).isTrue();
        assertThat(ran.output()).isEqualTo("one two|$HOME|it's|");
        assertThat(guest().run("cat", "/nowhere").ok()).isFalse();
    }

    @Test
    void aFileIsWrittenToTheByteAndOneThatIsThereKeepsItsModeAndGetsACopy() throws Exception {
        Content first = Content.of("options nouveau modeset=0\n");
        Content second = new Content.Bytes("not text: \u00e4\0\n\n".getBytes(StandardCharsets.UTF_8));
        Machine guest = guest();

        assertThat(guest.read("/etc/modprobe.d/zz-try.conf")).isEqualTo(Content.ABSENT);
        guest.write("/etc/modprobe.d/zz-try.conf", first, "");
        assertThat(guest.read("/etc/modprobe.d/zz-try.conf")).isEqualTo(first);
        guest.run("chmod", "0600", "/etc/modprobe.d/zz-try.conf");
        guest.write("/etc/modprobe.d/zz-try.conf", second, "/var/backups/pitwall/run-1/etc/modprobe.d/zz-try.conf");

        assertThat(guest.read("/etc/modprobe.d/zz-try.conf")).isEqualTo(second);
        assertThat(guest.run("stat", "-c", "%a", "/etc/modprobe.d/zz-try.conf").output().strip()).isEqualTo("600");
        assertThat(guest.read("/var/backups/pitwall/run-1/etc/modprobe.d/zz-try.conf")).isEqualTo(first);
        guest.write("/etc/modprobe.d/zz-try.conf", Content.ABSENT, "");
        assertThat(guest.read("/etc/modprobe.d/zz-try.conf")).isEqualTo(Content.ABSENT);
    }

    @Test
    void aFolderThatIsMissingIsMade() throws Exception {
        Machine guest = guest();

        guest.write("/etc/new/folder/file", Content.of("x"), "");

        assertThat(guest.read("/etc/new/folder/file")).isEqualTo(Content.of("x"));
    }
}
