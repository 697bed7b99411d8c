package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.KernelLog;
import dev.pitwall.lab.ssh.KernelModules;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Programs about the running system: names, kernel log, modules, services, packages, firmware. */
final class SystemCommands {
    private SystemCommands() {
    }

    static void install(Commands commands) {
        commands.add("uname", new Uname()).add("hostname", new Hostname()).add("hostnamectl", new Hostname())
                .add("uptime", new Uptime()).add("free", new Free()).add("id", new Id()).add("whoami", call -> {
                    call.out().println("root");
                    return Call.OK;
                }).add("date", new Date()).add("dmesg", new Dmesg()).add("journalctl", new Journal())
                .add("lsmod", new Lsmod()).add("modinfo", new ModInfo())
                .add("mokutil", m -> m.kind() != MachineState.Kind.JUMP, new Mokutil())
                .add("systemctl", new Systemctl()).add("dpkg", new Dpkg()).add("dpkg-query", new Dpkg())
                .add("efibootmgr", m -> m.kind() != MachineState.Kind.JUMP, new EfiBootMgr())
                .add("containerd", m -> m.kind().isNode(), new Containerd())
                .add("ctr", m -> m.kind().isNode(), new Ctr()).add("nproc", call -> {
                    call.out().println(call.machine().state().cpu().threads());
                    return Call.OK;
                }).add("systemd-detect-virt", new DetectVirt());
    }

    static final class Uname implements Command {
        @Override
        public int run(Call call) {
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

    static final class Hostname implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            call.out().println(call.has('I') ? m.address() + " " : m.name());
            return Call.OK;
        }
    }

    static final class Uptime implements Command {
        @Override
        public int run(Call call) {
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
            call.out().printf(Locale.ROOT, " %s up %s%2d:%02d,  1 user,  load average: 0.42, 0.37, 0.31%n",
                    DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC).format(m.now()), days,
                    up.toHoursPart(), up.toMinutesPart());
            return Call.OK;
        }
    }

    static final class Id implements Command {
        @Override
        public int run(Call call) {
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
                call.out().println(DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss 'UTC' yyyy", Locale.ROOT).format(now));
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

    static final class Dmesg implements Command {
        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ROOT).withZone(ZoneOffset.UTC);

        @Override
        public int run(Call call) {
            if (call.has('w') || call.has("--follow")) {
                return call.fail(1, "following is not possible on this lab's machines");
            }
            MachineState m = call.machine().state();
            for (KernelLog.Line line : call.machine().kernelLog()) {
                call.out().println(call.has('T') ? "[" + TIME.format(m.bootedAt().plus(line.after())) + "] " + line.text()
                        : call.has('t') ? line.text() : line.stamped());
            }
            return Call.OK;
        }
    }

    /** The kernel's part of the journal of this boot: {@code journalctl -k [-b [0]] [-n N] [-g PATTERN]}. */
    static final class Journal implements Command {
        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("MMM dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

        @Override
        public int run(Call call) {
            List<String> a = call.arguments();
            if (a.contains("-1") || a.contains("-b-1")) {
                call.err().println("Specifying boot ID or boot offset has no effect, no persistent journal was found.");
                return 1;
            }
            if (call.has('f')) {
                return call.fail(1, "following is not possible on this lab's machines");
            }
            MachineState m = call.machine().state();
            List<KernelLog.Line> lines = call.machine().kernelLog();
            Optional<Pattern> wanted = value(a, "-g", "--grep").map(Pattern::compile);
            lines = lines.stream().filter(l -> wanted.isEmpty() || wanted.get().matcher(l.text()).find()).toList();
            int last = value(a, "-n", "--lines").filter(v -> v.matches("\\d+")).map(Integer::parseInt)
                    .orElse(lines.size());
            for (KernelLog.Line line : lines.subList(Math.max(0, lines.size() - last), lines.size())) {
                call.out().println(a.contains("cat") ? line.text() : TIME.format(m.bootedAt().plus(line.after())) + " "
                        + m.name() + " kernel: " + line.text());
            }
            return Call.OK;
        }

        private static Optional<String> value(List<String> arguments, String shortName, String longName) {
            for (int i = 0; i < arguments.size(); i++) {
                String word = arguments.get(i);
                if (word.equals(shortName) && i + 1 < arguments.size()) {
                    return Optional.of(arguments.get(i + 1));
                }
                if (word.startsWith(longName + "=")) {
                    return Optional.of(word.substring(longName.length() + 1));
                }
                if (word.startsWith(shortName) && word.length() > shortName.length()) {
                    return Optional.of(word.substring(shortName.length()));
                }
            }
            return Optional.empty();
        }
    }

    static final class Lsmod implements Command {
        @Override
        public int run(Call call) {
            call.out().println("Module                  Size  Used by");
            for (KernelModules.Module k : call.machine().loadedModules()) {
                call.out().printf(Locale.ROOT, "%-19s %8d  %d%s%n", k.name(), k.size(), k.users(),
                        k.usedBy().isEmpty() ? "" : " " + k.usedBy());
            }
            return Call.OK;
        }
    }

    static final class ModInfo implements Command {
        @Override
        public int run(Call call) {
            int status = Call.OK;
            MachineState m = call.machine().state();
            for (String name : call.operands()) {
                boolean nvidia = name.equals("nvidia") && m.driver().loaded();
                List<String> known = nvidia ? List.of("nvidia", "", "Dual MIT/GPL", "kernel/drivers/video/nvidia.ko")
                        : call.machine().moduleTable().description(name);
                if (known.isEmpty()) {
                    call.err().println("modinfo: ERROR: Module " + name + " not found.");
                    status = 1;
                    continue;
                }
                call.out().println("filename:       /lib/modules/" + m.kernel() + "/" + known.get(3));
                if (nvidia) {
                    call.out().println("version:        " + m.driver().version());
                }
                if (!known.get(1).isEmpty()) {
                    call.out().println("description:    " + known.get(1));
                }
                call.out().println("license:        " + known.get(2) + "\nname:           " + known.get(0)
                        + "\nvermagic:       " + m.kernel() + " SMP preempt mod_unload modversions ");
            }
            return status;
        }
    }

    static final class Mokutil implements Command {
        @Override
        public int run(Call call) {
            MachineState.Firmware firmware = call.machine().state().firmware();
            if (!call.has("--sb-state")) {
                return call.fail(1, "only --sb-state is possible on this lab's machines");
            }
            if (!firmware.efi()) {
                call.err().println("EFI variables are not supported on this system");
                return 1;
            }
            call.out().println(firmware.secureBoot() ? "SecureBoot enabled" : "SecureBoot disabled");
            return Call.OK;
        }
    }

    static final class Systemctl implements Command {
        private static final int INACTIVE = 3;
        private static final int NO_SUCH_UNIT = 4;

        @Override
        public int run(Call call) {
            List<String> o = call.operands();
            String verb = o.isEmpty() ? "" : o.getFirst();
            List<String> units = o.isEmpty() ? List.of() : o.subList(1, o.size());
            return switch (verb) {
                case "is-active" -> isActive(call, units);
                case "is-enabled" -> units.stream().allMatch(u -> known(call, u)) ? said(call, "enabled", 0)
                        : said(call, "not-found", NO_SUCH_UNIT);
                case "status" -> status(call, units);
                case "is-system-running" -> said(call, "running", 0);
                default -> call.fail(1, "Unknown command verb '" + verb + "', this lab's machines know is-active, "
                        + "is-enabled and status.");
            };
        }

        private static int said(Call call, String text, int status) {
            call.out().println(text);
            return status;
        }

        private static int isActive(Call call, List<String> units) {
            int status = 0;
            for (String unit : units) {
                boolean active = known(call, unit);
                call.out().println(active ? "active" : "inactive");
                status = active ? status : INACTIVE;
            }
            return status;
        }

        private static int status(Call call, List<String> units) {
            int status = 0;
            MachineState m = call.machine().state();
            for (String unit : units) {
                String name = unit.replaceFirst("\\.service$", "");
                if (!known(call, unit)) {
                    call.err().println("Unit " + name + ".service could not be found.");
                    status = NO_SUCH_UNIT;
                    continue;
                }
                call.out().printf("\u25cf %s.service - %s%n     Loaded: loaded (/lib/systemd/system/%s.service; enabled; "
                        + "preset: enabled)%n     Active: active (running) since %s UTC%n", name, name, name,
                        DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC)
                                .format(m.bootedAt().plusSeconds(12)));
            }
            return status;
        }

        private static boolean known(Call call, String unit) {
            MachineState m = call.machine().state();
            String name = unit.replaceFirst("\\.service$", "");
            if (m.kind().isNode() && m.kubelet().contains("rke2")) {
                if (name.equals("rke2-agent") || name.equals("rke2-server")) {
                    return name.equals("rke2-agent");
                }
            } else if (m.kind().isNode() && (name.equals("containerd") || name.equals("kubelet"))) {
                return true;
            }
            return call.machine().texts().list("services-" + m.kind().name().toLowerCase(Locale.ROOT)).contains(name);
        }
    }

    /** {@code dpkg -l [PATTERN…]} and {@code dpkg-query -W}. */
    static final class Dpkg implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            List<String> patterns = call.operands();
            List<String[]> found = new ArrayList<>();
            for (String line : call.machine().texts().list("packages-" + m.osId())) {
                String[] p = line.split("\\|");
                if (patterns.isEmpty() || patterns.stream().anyMatch(g -> glob(g).matcher(p[0]).matches())) {
                    found.add(p);
                }
            }
            if (found.isEmpty()) {
                patterns.forEach(p -> call.err().println("dpkg-query: no packages found matching " + p));
                return 1;
            }
            if (call.has('W') || call.has("--show")) {
                found.forEach(p -> call.out().println(p[0] + "\t" + p[1]));
                return Call.OK;
            }
            call.out().println("Desired=Unknown/Install/Remove/Purge/Hold\n"
                    + "| Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend\n"
                    + "|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)\n"
                    + "||/ Name           Version              Architecture Description\n"
                    + "+++-==============-====================-============-=================================");
            found.forEach(p -> call.out().printf("ii  %-14s %-20s %-12s %s%n", p[0], p[1], p[2], p[3]));
            return Call.OK;
        }

        private static Pattern glob(String glob) {
            return Pattern.compile(Pattern.quote(glob).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q"));
        }
    }

    static final class EfiBootMgr implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            if (!m.firmware().efi()) {
                call.err().println("EFI variables are not supported on this system.");
                return 2;
            }
            boolean grub = m.commandLine().startsWith("BOOT_IMAGE=");
            String entry = m.isProxmox() ? grub ? "proxmox" : "Linux Boot Manager" : "ubuntu";
            String loader = m.isProxmox() ? grub ? "\\EFI\\PROXMOX\\SHIMX64.EFI" : "\\EFI\\SYSTEMD\\SYSTEMD-BOOTX64.EFI"
                    : "\\EFI\\UBUNTU\\SHIMX64.EFI";
            call.out().println("BootCurrent: 0001\nTimeout: 1 seconds\nBootOrder: 0001\nBoot0001* " + entry
                    + (call.has('v') ? "\tHD(2,GPT)/File(" + loader + ")" : ""));
            return Call.OK;
        }
    }

    static final class Containerd implements Command {
        @Override
        public int run(Call call) {
            String runtime = call.machine().state().containerRuntime();
            String version = runtime.substring(runtime.lastIndexOf('/') + 1);
            call.out().println("containerd github.com/containerd/containerd/v2 v" + version);
            return Call.OK;
        }
    }

    static final class Ctr implements Command {
        @Override
        public int run(Call call) {
            String runtime = call.machine().state().containerRuntime();
            String version = runtime.substring(runtime.lastIndexOf('/') + 1);
            if (call.operands().contains("version") || call.has("--version")) {
                call.out().println("Client:\n  Version:  v" + version + "\n\nServer:\n  Version:  v" + version);
                return Call.OK;
            }
            return call.fail(1, "only \"ctr version\" is possible on this lab's machines");
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
}
