package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.BootIds;
import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.world.LabSystem;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Programs that say what this machine is and how long it has been up. */
final class SystemFacts {
    private SystemFacts() {
    }

    static void install(Commands commands) {
        commands.add("uname", new Uname()).add("hostname", new Hostname()).add("hostnamectl", new HostnameCtl())
                .add("uptime", new Uptime()).add("free", new Free()).add("id", new Id()).add("whoami", call -> {
                    call.out().println("root");
                    return Call.OK;
                }).add("date", new Date()).add("timedatectl", new TimeDateCtl()).add("nproc", call -> {
                    call.out().println(call.machine().state().cpu().threads());
                    return Call.OK;
                }).add("systemd-detect-virt", new DetectVirt()).add("who", new Who()).add("w", new Who())
                .add("last", new Last());
    }

    static final class Uname implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "asnrvmpio", "all", "kernel-name", "nodename", "kernel-release",
                    "kernel-version", "machine", "processor", "operating-system");
            if (options.refused()) {
                return options.refuse(1);
            }
            MachineState m = call.machine().state();
            String builder = call.machine().texts().value("kernel-builder-" + m.osId());
            String build = builder.substring(builder.indexOf("#1"));
            List<String> parts = new ArrayList<>();
            boolean all = call.has('a');
            if (all || call.has('s') || call.arguments().isEmpty()) {
                parts.add("Linux");
            }
            if (all || call.has('n')) {
                parts.add(m.name());
            }
            if (all || call.has('r')) {
                parts.add(m.kernel());
            }
            if (all || call.has('v')) {
                parts.add(build);
            }
            if (all || call.has('m')) {
                parts.add("x86_64");
            }
            if (all || call.has('o')) {
                parts.add("GNU/Linux");
            }
            call.out().println(String.join(" ", parts));
            return Call.OK;
        }
    }

    static final class Uptime implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "psV", "pretty", "since");
            if (options.refused()) {
                return options.refuse(1);
            }
            MachineState m = call.machine().state();
            if (call.has('s')) {
                call.out().println(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC)
                        .format(m.bootedAt()));
                return Call.OK;
            }
            Duration up = m.uptime();
            String days = up.toDays() == 0 ? "" : up.toDays() + (up.toDays() == 1 ? " day, " : " days, ");
            if (call.has('p')) {
                call.out().println("up " + days + up.toHoursPart() + " hours, " + up.toMinutesPart() + " minutes");
                return Call.OK;
            }
            call.out().printf(Locale.ROOT, " %s up %s%2d:%02d,  1 user,  load average: %s%n",
                    DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC).format(m.now()), days,
                    up.toHoursPart(), up.toMinutesPart(), m.loadAverage().replace(" ", ", "));
            return Call.OK;
        }
    }

    static final class Id implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "aZgGnruz", "group", "groups", "name", "user");
            if (options.refused()) {
                return options.refuse(1);
            }
            call.out().println(call.has('u') ? call.has('n') ? "root" : "0" : call.has('g') ? "0"
                    : "uid=0(root) gid=0(root) groups=0(root)");
            return Call.OK;
        }
    }

    static final class Date implements Command {
        @Override
        public int run(Call call) {
            var now = call.machine().state().now().atZone(ZoneOffset.UTC);
            Optional<String> format = call.arguments().stream().filter(a -> a.startsWith("+")).findFirst();
            if (format.isEmpty()) {
                call.out().println(DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss 'UTC' yyyy",
                        Locale.ROOT).format(now));
                return Call.OK;
            }
            call.out().println(format.get().substring(1).replace("%s", Long.toString(now.toEpochSecond()))
                    .replace("%F", now.toLocalDate().toString())
                    .replace("%T", DateTimeFormatter.ofPattern("HH:mm:ss").format(now))
                    .replace("%Y", Integer.toString(now.getYear()))
                    .replace("%m", String.format("%02d", now.getMonthValue()))
                    .replace("%d", String.format("%02d", now.getDayOfMonth()))
                    .replace("%H", String.format("%02d", now.getHour()))
                    .replace("%M", String.format("%02d", now.getMinute()))
                    .replace("%S", String.format("%02d", now.getSecond())));
            return Call.OK;
        }
    }

    static final class DetectVirt implements Command {
        @Override
        public int run(Call call) {
            boolean guest = call.machine().state().kind() == MachineState.Kind.GUEST;
            call.out().println(guest ? "kvm" : "none");
            return guest ? Call.OK : 1;
        }
    }

    static final class Hostname implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "Ifsdi", "fqdn", "short", "all-ip-addresses");
            if (options.refused()) {
                return options.refuse(1);
            }
            MachineState m = call.machine().state();
            call.out().println(options.has("I", "all-ip-addresses") ? m.address() + " " : m.name());
            return Call.OK;
        }
    }

    static final class HostnameCtl implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            if (call.operands().equals(List.of("hostname"))) {
                call.out().println(m.name());
                return Call.OK;
            }
            String os = os(call);
            boolean guest = m.kind() == MachineState.Kind.GUEST;
            call.out().println(" Static hostname: " + m.name() + "\n       Icon name: computer" + (guest ? "-vm" : "")
                    + "\n         Chassis: " + (guest ? "vm" : "desktop") + "\n         Boot ID: "
                    + BootIds.of(m.name(), m.bootedAt()).toString().replace("-", "")
                    + (guest ? "\n  Virtualization: kvm" : "") + "\nOperating System: " + os
                            + "\n          Kernel: Linux "
                    + m.kernel() + "\n    Architecture: x86-64");
            return Call.OK;
        }

        private static String os(Call call) {
            try {
                return new String(call.files().read("/etc/os-release"), StandardCharsets.UTF_8).lines()
                        .filter(line -> line.startsWith("PRETTY_NAME=")).findFirst().orElse("PRETTY_NAME=")
                        .substring("PRETTY_NAME=".length()).replace("\"", "");
            } catch (FileTrouble e) {
                return "";
            }
        }
    }

    static final class TimeDateCtl implements Command {
        private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss",
                Locale.ROOT)
                .withZone(ZoneOffset.UTC);

        @Override
        public int run(Call call) {
            if (!call.operands().isEmpty() && !call.operands().getFirst().equals("status")) {
                call.err().println("Unknown command verb '" + call.operands().getFirst() + "'.");
                return 1;
            }
            String now = TIME.format(call.machine().state().now());
            call.out().println("               Local time: " + now + " UTC\n           Universal time: " + now
                    + " UTC\n                Time zone: Etc/UTC (UTC, +0000)\nSystem clock synchronized: yes\n"
                    + "              NTP service: active\n          RTC in local TZ: no");
            return Call.OK;
        }
    }

    static final class Who implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            if (call.has('b')) {
                call.out().println("         system boot  " + DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm")
                        .withZone(ZoneOffset.UTC).format(m.bootedAt()));
                return Call.OK;
            }
            call.out().println("root     pts/0        " + DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm")
                    .withZone(ZoneOffset.UTC).format(m.now()));
            return Call.OK;
        }
    }

    /** {@code last -x [reboot|shutdown]}: the boots and shutdowns of this machine since the lab knows it. */
    static final class Last implements Command {
        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("EEE MMM d HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

        @Override
        public int run(Call call) {
            Options options = Options.of(call, "xn:Fwadi", "system", "limit=");
            if (options.refused()) {
                return options.refuse(1);
            }
            MachineState m = call.machine().state();
            List<LabSystem.PastBoot> past = call.machine().look((w, s) -> List.copyOf(s.pastBoots));
            List<String> lines = new ArrayList<>();
            lines.add(line("reboot", "system boot", m.kernel(), m.bootedAt(), "still running"));
            for (LabSystem.PastBoot boot : past.reversed()) {
                if (options.has("x", "system")) {
                    lines.add(line("shutdown", "system down", boot.kernel(), boot.to(), "down"));
                }
                lines.add(line("reboot", "system boot", boot.kernel(), boot.from(), "- " + TIME.format(boot.to())));
            }
            List<String> wanted = options.operands();
            int limit = options.value("n", "limit").filter(n -> n.matches("\\d+")).map(Integer::parseInt)
                    .orElse(Integer.MAX_VALUE);
            lines.stream().filter(l -> wanted.isEmpty() || wanted.stream().anyMatch(l::startsWith)).limit(limit)
                    .forEach(call.out()::println);
            call.out().println("\nwtmp begins " + TIME.format(past.isEmpty() ? m.bootedAt() : past.getFirst().from()));
            return Call.OK;
        }

        private static String line(String name, String what, String kernel, Instant at, String rest) {
            return String.format(Locale.ROOT, "%-8s %-12s %-16s %s   %s", name, what,
                    kernel.length() > 16 ? kernel.substring(0, 16) : kernel, TIME.format(at), rest);
        }
    }
}
