package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.world.RootDisk;

import java.util.Locale;

/** Programs about disks and what is mounted from them; all sizes are those of the machine's {@link RootDisk}. */
final class DiskCommands {
    private DiskCommands() {
    }

    static void install(Commands commands) {
        commands.add("df", new Df()).add("lsblk", new Lsblk()).add("mount", new Mounts()).add("findmnt", new Mounts())
                .add("zpool", DiskCommands::hasPool, new Zpool());
    }

    private static boolean hasPool(MachineState m) {
        return m.commandLine().contains("root=ZFS=");
    }

    private static String root(MachineState m) {
        return hasPool(m) ? m.commandLine().replaceFirst("^.*root=ZFS=(\\S+).*$", "$1")
                : m.commandLine().replaceFirst("^.*root=(\\S+).*$", "$1");
    }

    private static String gib(long bytes) {
        return (bytes >> 30) + "G";
    }

    static final class Df implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "hTkmiPa", "human-readable", "print-type");
            if (options.refused()) {
                return options.refuse(1);
            }
            MachineState m = call.machine().state();
            RootDisk disk = m.disk();
            boolean human = options.has("h", "human-readable");
            long taken = disk.usedBytes() + disk.availableBytes();
            call.out().println("Filesystem     " + (human ? " Size  Used Avail" : "1K-blocks     Used Available")
                    + " Use% Mounted on");
            call.out().printf(Locale.ROOT, "%s %s %s %s %3d%% /%n", root(m), size(disk.rootBytes(), human),
                    size(disk.usedBytes(), human), size(disk.availableBytes(), human),
                    taken == 0 ? 0 : Math.ceilDiv(disk.usedBytes() * 100, taken));
            return Call.OK;
        }

        private static String size(long bytes, boolean human) {
            return human ? gib(bytes) : Long.toString(bytes >> 10);
        }
    }

    static final class Lsblk implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            RootDisk disk = m.disk();
            boolean nvme = m.pci().stream().anyMatch(p -> p.classCode().startsWith("0108"));
            String name = nvme ? "nvme0n1" : "sda";
            String part = nvme ? name + "p" : name;
            int major = nvme ? 259 : 8;
            boolean mapped = root(m).startsWith("/dev/mapper/");
            call.out().println("NAME                      MAJ:MIN RM  SIZE RO TYPE MOUNTPOINTS");
            row(call, name, major + ":0", disk.diskBytes(), "disk");
            if (m.firmware().efi()) {
                row(call, "\u251c\u2500" + part + "2", major + ":2", disk.espBytes(), hasPool(m) ? "part"
                        : "part /boot/efi");
            }
            row(call, "\u2514\u2500" + part + "3", major + ":3", disk.rootBytes(), mapped || hasPool(m) ? "part"
                    : "part /");
            if (mapped) {
                row(call, "  \u2514\u2500" + root(m).substring("/dev/mapper/".length()), "252:0", disk.rootBytes(),
                        "lvm  /");
            }
            return Call.OK;
        }

        private static void row(Call call, String name, String number, long bytes, String rest) {
            call.out().printf(Locale.ROOT, "%-25s %7s  0 %5s  0 %s%n", name, number, gib(bytes), rest);
        }
    }

    static final class Mounts implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            if (call.shortName().equals("mount") && !call.operands().isEmpty()) {
                return call.fail(32, call.operands().getFirst() + ": can't find in /etc/fstab.");
            }
            String type = hasPool(m) ? "zfs" : "ext4";
            boolean table = call.shortName().equals("findmnt");
            if (table) {
                call.out().println("TARGET SOURCE FSTYPE OPTIONS\n/      " + root(m) + " " + type + "   rw,relatime");
            } else {
                call.out().println("sysfs on /sys type sysfs (rw,nosuid,nodev,noexec,relatime)\nproc on /proc type proc "
                        + "(rw,relatime)\n" + root(m) + " on / type " + type
                                + " (rw,relatime)\ntmpfs on /run type tmpfs "
                        + "(rw,nosuid,nodev)");
            }
            return Call.OK;
        }
    }

    static final class Zpool implements Command {
        @Override
        public int run(Call call) {
            String pool = root(call.machine().state()).replaceFirst("/.*$", "");
            String verb = call.operands().isEmpty() ? "" : call.operands().getFirst();
            switch (verb) {
                case "list" -> list(call, pool, call.machine().state().disk());
                case "status" -> call.out().println("  pool: " + pool
                        + "\n state: ONLINE\nconfig:\n\n\tNAME        STATE\n\t"
                        + pool + "       ONLINE\n\nerrors: No known data errors");
                default -> {
                    call.err().println(verb.isEmpty() ? "missing command" : "unrecognized command '" + verb + "'");
                    return 2;
                }
            }
            return Call.OK;
        }

        private static void list(Call call, String pool, RootDisk disk) {
            call.out().printf(Locale.ROOT, "NAME    SIZE  ALLOC   FREE    CAP    HEALTH%n%-6s%6s%7s%7s%6d%%    ONLINE%n",
                    pool, gib(disk.rootBytes()), gib(disk.usedBytes()), gib(disk.rootBytes() - disk.usedBytes()),
                    disk.usedBytes() * 100 / disk.rootBytes());
        }
    }
}
