package dev.pitwall.journey.export;

import dev.pitwall.journey.change.Content;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A folder that stands in for a Proxmox host: its {@code bin} has the commands that exports call, which keep what they
 * are given in files beside it (they find them by {@code LAB}), and its {@code etc} has what {@link Plans#host} expects.
 */
final class ProxmoxStandIn {
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
              destroy) rm -f "$LAB/$id.conf" "$LAB/$id.status" ;;
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
              set|delete) id=${2##*/}; shift 2; set -- "$id" "$@" ;;
            esac
            case ${1:-} in get) exit 0 ;; esac
            perl -MJSON::PP -e '
              my $file = "$ENV{LAB}/mappings.json"; open my $in, "<", $file; local $/; my $all = decode_json(<$in>);
              my $id = shift; my @map = grep { $_ ne "--map" } @ARGV;
              @$all = grep { $_->{id} ne $id } @$all; push @$all, {id => $id, map => [@map]} if @map;
              open my $out, ">", $file; print $out encode_json($all);' "$@"
            """;

    private ProxmoxStandIn() {
    }

    /** @return its {@code etc} */
    static Path in(Path temp) throws IOException {
        Path etc = Files.createDirectories(temp.resolve("etc"));
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
        return etc;
    }

    /** The calls so far. */
    static List<String> log(Path temp) throws IOException {
        Path log = temp.resolve("log");
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    private static void program(Path bin, String name, String text) throws IOException {
        assertThat(Files.writeString(bin.resolve(name), text).toFile().setExecutable(true)).isTrue();
    }
}
