package dev.pitwall.journey.export;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.change.Content;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The script is run by bash; Proxmox's commands are stand-ins that keep what they are given in files. */
@DisabledOnOs(OS.WINDOWS)
class BashExportTest {
    /** A VM's configuration is a file of lines, its status another; mappings are one file of JSON. */
    private static final String QM = """
            #!/usr/bin/env bash
            set -eu
            printf '%s\\n' "qm $*" >> "$LAB/log"
            verb=$1; id=$2; shift 2
            case $verb in
              config) [ -e "$LAB/$id.conf" ] || exit 2; cat "$LAB/$id.conf" ;;
              status) [ -e "$LAB/$id.status" ] || exit 2; echo "status: $(cat "$LAB/$id.status")" ;;
              shutdown) echo stopped > "$LAB/$id.status" ;;
              start) [ "$(cat "$LAB/$id.status")" = stopped ] || exit 1; echo running > "$LAB/$id.status" ;;
              create) echo stopped > "$LAB/$id.status"; : > "$LAB/$id.conf" ;;
              clone) id=$1; shift; echo stopped > "$LAB/$id.status"; : > "$LAB/$id.conf" ;;
            esac
            case $verb in set|create)
              while [ $# -gt 0 ]; do
                if [ "$1" = --delete ]; then
                  for key in ${2//,/ }; do sed -i "/^$key: /d" "$LAB/$id.conf"; done
                else
                  sed -i "/^${1#--}: /d" "$LAB/$id.conf"; echo "${1#--}: $2" >> "$LAB/$id.conf"
                fi
                shift 2
              done ;;
            esac
            """;
    private static final String PVESH = """
            #!/usr/bin/env bash
            set -eu
            printf '%s\\n' "pvesh $*" >> "$LAB/log"
            case $1 in
              get) cat "$LAB/mappings.json" ;;
              create) id=$4; shift 4; set -- "$id" "$@" ;;
              set) id=${2##*/}; shift 2; set -- "$id" "$@" ;;
            esac
            case ${1:-} in get) exit 0 ;; esac
            perl -MJSON::PP -e '
              my $file = "$ENV{LAB}/mappings.json"; open my $in, "<", $file; local $/; my $all = decode_json(<$in>);
              my $id = shift; my @map = grep { $_ ne "--map" } @ARGV;
              @$all = grep { $_->{id} ne $id } @$all; push @$all, {id => $id, map => [@map]};
              open my $out, ">", $file; print $out encode_json($all);' "$@"
            """;

    @TempDir
    private Path temp;
    private Path etc;

    @BeforeEach
    void lab() throws IOException {
        etc = Files.createDirectories(temp.resolve("etc"));
        Path bin = Files.createDirectories(temp.resolve("bin"));
        program(bin, "qm", QM);
        program(bin, "pvesh", PVESH);
        program(bin, "hostname", "#!/bin/sh\necho pve1\n");
        program(bin, "id", "#!/bin/sh\necho 0\n");
        program(bin, "update-initramfs", "#!/bin/sh\necho \"initramfs $*\" >> \"$LAB/log\"\n");
        Files.writeString(temp.resolve("122.conf"), "cpu: x86-64-v2-AES,flags=+aes\nhostpci0: 01:00.0\nhostpci1: 01:00.1\n"
                + "hostpci10: 09:00\n");
        Files.writeString(temp.resolve("122.status"), "running\n");
        Files.writeString(temp.resolve("mappings.json"),
                "[{\"id\":\"old\",\"map\":[\"node=pve2,path=0000:01:00,id=10de:25b0\"],\"description\":\"x\"}]");
        Files.write(etc.resolve("binary"), ((Content.Bytes) Plans.BINARY).bytes());
        Files.writeString(etc.resolve("cmdline"), "root=zfs\n");
        Files.writeString(etc.resolve("old.conf"), "old\n");
    }

    @Test
    void everyFormIsGoodBash() throws Exception {
        for (CardPlan plan : List.of(Plans.host(etc), Plans.vm(), Plans.raw(), Plans.creations(), Plans.plan(List.of()))) {
            Path script = script(plan);
            assertThat(new ProcessBuilder("bash", "-n", script.toString()).start().waitFor()).isZero();
        }
    }

    @Test
    void writesExactBytesRunsEachCommandOnceAndStopsForTheReboot() throws Exception {
        Outcome first = run(Plans.host(etc));

        assertThat(first.text()).contains("STOP. Everything before the reboot of pve1 is done.")
                .contains("jellyfin's, which does not start again by itself");
        assertThat(first.exit()).isZero();
        assertThat(etc.resolve("zz pitwall.conf")).hasContent(Plans.TRICKY);
        assertThat(Files.readString(etc.resolve("binary"))).isEqualTo("no line end");
        assertThat(Files.readAllBytes(etc.resolve("cmdline"))).containsExactly(0, 1, -1, 10, 39);
        assertThat(etc.resolve("old.conf")).doesNotExist();
        assertThat(log()).containsExactly("initramfs -u -k all");
        assertThat(Files.readString(temp.resolve("keep/before").resolve(etc.toString().substring(1)).resolve("cmdline")))
                .isEqualTo("root=zfs\n");
    }

    @Test
    void goesOnAfterTheRebootAndAThirdRunChangesNothing() throws Exception {
        run(Plans.host(etc));
        assertThat(run(Plans.host(etc)).text()).contains("already so").contains("STOP");

        try (Stream<Path> notes = Files.list(temp.resolve("keep"))) {
            Path boot = notes.filter(p -> p.getFileName().toString().startsWith("boot.")).findFirst().orElseThrow();
            Files.writeString(boot, "an earlier boot\n");
        }
        Outcome after = run(Plans.host(etc));

        assertThat(after.text()).contains("Done.").doesNotContain("STOP");
        assertThat(log()).containsExactly("initramfs -u -k all");
    }

    @Test
    void aFileThatHasChangedStopsItBeforeAnythingIsWritten() throws Exception {
        Files.writeString(etc.resolve("old.conf"), "someone else\n");

        Outcome outcome = run(Plans.host(etc));

        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.text()).contains("old.conf is not as it was").contains("Nothing was written");
        assertThat(etc.resolve("zz pitwall.conf")).doesNotExist();
        assertThat(Files.readString(etc.resolve("cmdline"))).isEqualTo("root=zfs\n");
        assertThat(temp.resolve("keep")).doesNotExist();
    }

    @Test
    void setsTheVmAndItsMappingsAndPowerCyclesIt() throws Exception {
        Outcome outcome = run(Plans.vm());

        assertThat(outcome.exit()).as(outcome.text()).isZero();
        assertThat(Files.readAllLines(temp.resolve("122.conf"))).containsExactlyInAnyOrder("balloon: 0",
                "cpu: host,flags=+aes", "hostpci0: mapping=gpu-pve1-01-00,pcie=1", "hostpci10: 09:00");
        assertThat(Files.readString(temp.resolve("mappings.json"))).contains("gpu-pve1-01-00").contains("subsystem-id=10de:1878");
        assertThat(log()).contains("qm shutdown 122 --timeout 20").contains("qm start 122 --timeout 20");
        assertThat(temp.resolve("keep/vm-122.before")).content().contains("hostpci1: 01:00.1");

        long calls = log().size();
        Outcome again = run(Plans.vm());
        assertThat(again.exit()).isZero();
        assertThat(log().subList((int) calls, log().size())).noneMatch(line -> line.matches(
                "(qm (set|shutdown|start)|pvesh (set|create)).*"));
    }

    @Test
    void aVmOrMappingThatHasChangedStopsIt() throws Exception {
        Files.writeString(temp.resolve("122.conf"), "cpu: host\n");
        assertThat(run(Plans.vm()).text()).contains("cpu of VM 122 is not as it was").contains("Nothing was written");

        lab();
        Files.writeString(temp.resolve("mappings.json"), "[{\"id\":\"gpu-pve1-01-00\",\"map\":[\"node=pve3\"]}]");
        assertThat(run(Plans.vm()).text()).contains("Mapping gpu-pve1-01-00 is not as it was");
        assertThat(log()).noneMatch(line -> line.startsWith("qm set"));
    }

    @Test
    void makesNewVmsOnceAndNeverTakesAnothersId() throws Exception {
        assertThat(run(Plans.creations()).exit()).isZero();
        assertThat(run(Plans.creations()).exit()).isZero();
        assertThat(log()).filteredOn(line -> line.startsWith("qm clone")).hasSize(1);
        assertThat(log()).filteredOn(line -> line.startsWith("qm create")).hasSize(1);

        Files.writeString(temp.resolve("130.conf"), "smbios1: uuid=another\n");
        assertThat(run(Plans.creations()).text()).contains("Another VM 130 is there already");
    }

    @Test
    void saysWhatItLeavesOut() {
        assertThat(new BashExport().render(Plans.raw()))
                .contains("# Not in it, needs a plan of its own later: See the card in the guest: waits for the rest\n");
    }

    private record Outcome(int exit, String text) {
    }

    private Outcome run(CardPlan plan) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", script(plan).toString()).redirectErrorStream(true);
        builder.environment().put("PATH", temp.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("LAB", temp.toString());
        builder.environment().put("KEEP", temp.resolve("keep").toString());
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), text);
    }

    private Path script(CardPlan plan) throws IOException {
        return Files.writeString(temp.resolve("runbook.sh"), new BashExport().render(plan));
    }

    private List<String> log() throws IOException {
        Path log = temp.resolve("log");
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    private static void program(Path bin, String name, String text) throws IOException {
        assertThat(Files.writeString(bin.resolve(name), text).toFile().setExecutable(true)).isTrue();
    }
}
