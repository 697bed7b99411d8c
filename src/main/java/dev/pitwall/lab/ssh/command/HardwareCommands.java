package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.NetworkPorts;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.ssh.software.Units;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Programs about processors, firmware, processes and the network, as far as somebody types them around a card. */
final class HardwareCommands {

    private HardwareCommands() {
    }

    static void install(Commands commands) {
        commands.add("lscpu", new Lscpu()).add("dmidecode", new DmiDecode()).add("ps", new Ps())
                .add("pgrep", new Pgrep()).add("pidof", new Pgrep()).add("ip", new Ip()).add("ss", new Sockets());
    }

    static final class Lscpu implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            boolean guest = m.kind() == MachineState.Kind.GUEST;
            String virtualization = m.cpu().vendor().equals("AuthenticAMD") ? "AMD-V" : "VT-x";
            call.out().printf(Locale.ROOT, "%-25s%s%n%-25s%d%n%-25s%s%n%-25s%s%n", "Architecture:", "x86_64", "CPU(s):",
                    m.cpu().threads(), "Vendor ID:", m.cpu().vendor(), "Model name:", m.cpu().model());
            if (m.firmware().virtualization()) {
                call.out().printf("%-25s%s%n", "Virtualization:", virtualization);
            }
            if (guest) {
                call.out().printf("%-25s%s%n%-25s%s%n", "Hypervisor vendor:", "KVM", "Virtualization type:", "full");
            }
            return Call.OK;
        }
    }

    static final class DmiDecode implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "s:t:qu", "string=", "type=", "quiet");
            if (options.refused()) {
                return options.refuse(2);
            }
            MachineState m = call.machine().state();
            boolean guest = m.kind() == MachineState.Kind.GUEST;
            String product = guest ? "Standard PC (Q35 + ICH9, 2009)" : m.board().name();
            String keyword = options.value("s", "string").orElse("");
            String value = switch (keyword) {
                case "system-manufacturer", "baseboard-manufacturer", "chassis-manufacturer" -> m.board().vendor();
                case "system-product-name" -> product;
                case "baseboard-product-name" -> m.board().name();
                case "system-uuid" -> m.productUuid();
                case "processor-version" -> m.cpu().model();
                case "processor-manufacturer" -> m.cpu().vendor();
                default -> "";
            };
            if (!keyword.isEmpty()) {
                if (value.isEmpty()) {
                    call.err().println("Invalid string keyword: " + keyword);
                    return 2;
                }
                call.out().println(value);
                return Call.OK;
            }
            String type = options.value("t", "type").orElse("system");
            call.out().println("# dmidecode 3.4\nGetting SMBIOS data from sysfs.\nSMBIOS 3.4.0 present.\n");
            switch (type) {
                case "system", "1" -> call.out().println("Handle 0x0001, DMI type 1, 27 bytes\nSystem Information\n"
                        + "\tManufacturer: " + m.board().vendor() + "\n\tProduct Name: " + product + "\n\tUUID: "
                        + m.productUuid());
                case "baseboard", "2" -> call.out().println("Handle 0x0002, DMI type 2, 15 bytes\nBase Board Information\n"
                        + "\tManufacturer: " + m.board().vendor() + "\n\tProduct Name: " + m.board().name());
                case "processor", "4" -> call.out().println("Handle 0x0004, DMI type 4, 48 bytes\nProcessor Information\n"
                        + "\tManufacturer: " + m.cpu().vendor() + "\n\tVersion: " + m.cpu().model()
                                + "\n\tThread Count: "
                        + m.cpu().threads());
                default -> {
                    call.err().println("Invalid type keyword: " + type);
                    return 2;
                }
            }
            return Call.OK;
        }
    }

    /**
     * The processes that follow from the machine's services, VMs and cards. The lab runs none of them: a service's number
     * comes from its name, so that it stays what it is while others come and go.
     */
    private static List<String> processes(Call call) {
        MachineState m = call.machine().state();
        List<String> lines = new ArrayList<>(List.of("1|/sbin/init"));
        for (Units.Unit unit : call.machine().units().all()) {
            if (call.machine().units().isActive(unit.name())) {
                lines.add(600 + Math.floorMod(unit.name().hashCode(), 400) + "|" + unit.name());
            }
        }
        m.vms().stream().filter(vm -> !vm.status().equals("stopped")).forEach(vm -> lines.add(vm.pid()
                + "|/usr/bin/kvm -id " + vm.vmid() + " -name " + vm.config().getOrDefault("name", "vm")
                        + ",debug-threads=on"));
        m.cards().forEach(card -> card.processes().forEach(p -> lines.add(p.pid() + "|" + p.name())));
        return lines;
    }

    static final class Ps implements Command {
        @Override
        public int run(Call call) {
            boolean full = call.arguments().stream().anyMatch(a -> a.matches("-?[aux]*u[aux]*|-e?f|-ef"));
            call.out().println(full ? "UID          PID CMD" : "    PID CMD");
            for (String line : processes(call)) {
                String[] parts = line.split("\\|");
                call.out().printf("%s%7s %s%n", full ? "root    " : "", parts[0], parts[1]);
            }
            return Call.OK;
        }
    }

    static final class Pgrep implements Command {
        @Override
        public int run(Call call) {
            List<String> patterns = call.operands();
            List<String> found = processes(call).stream().filter(line -> patterns.stream()
                    .anyMatch(p -> line.substring(line.indexOf('|') + 1).matches(".*(" + p + ").*"))).toList();
            found.forEach(line -> call.out().println(call.has('a') || call.has('l') ? line.replace('|', ' ')
                    : line.substring(0, line.indexOf('|'))));
            return found.isEmpty() ? 1 : Call.OK;
        }
    }

    /** {@code ip addr|link|route}. Network functions that a passthrough took from the host are not there. */
    static final class Ip implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            List<String> o = call.operands();
            String object = o.isEmpty() ? "" : o.getFirst();
            boolean brief = call.has("-br") || call.has("-brief");
            List<String> ports = NetworkPorts.of(m);
            String main = m.isProxmox() ? "vmbr0" : ports.isEmpty() ? "eth0" : ports.getFirst();
            if ("addr".startsWith(object) && object.startsWith("a") || object.equals("address")) {
                print(call, brief, 1, "lo", "127.0.0.1/8");
                int index = 2;
                for (String port : ports) {
                    print(call, brief, index++, port, port.equals(main) ? m.address() + "/24" : "");
                }
                if (m.isProxmox()) {
                    print(call, brief, index, main, m.address() + "/24");
                }
            } else if ("link".startsWith(object) && object.startsWith("l")) {
                int index = 1;
                for (String port : ports) {
                    call.out().println((brief ? "" : ++index + ": ") + port + (brief ? "             UP"
                            : ": <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 state UP"));
                }
            } else if ("route".startsWith(object) && object.startsWith("r")) {
                String net = m.address().replaceFirst("\\.\\d+$", "");
                call.out().println("default via " + net + ".1 dev " + main + " proto static\n" + net + ".0/24 dev "
                        + main
                        + " proto kernel scope link src " + m.address());
            } else {
                call.err().println("Object \"" + object + "\" is unknown, try \"ip help\".");
                return 1;
            }
            return Call.OK;
        }

        private static void print(Call call, boolean brief, int index, String name, String address) {
            if (brief) {
                call.out().printf("%-16s %-8s %s%n", name, "UP", address);
                return;
            }
            call.out().println(index + ": " + name
                    + ": <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 state UP group default"
                    + (address.isEmpty() ? "" : "\n    inet " + address + " scope global " + name));
        }
    }

    static final class Sockets implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            call.out().println("State  Recv-Q Send-Q Local Address:Port Peer Address:Port Process");
            row(call, 22, "sshd");
            if (m.isProxmox() && call.machine().units().isActive("pveproxy")) {
                row(call, 8006, "pveproxy");
            }
            if (m.kind().isNode()) {
                row(call, 10250, "kubelet");
            }
            return Call.OK;
        }

        private static void row(Call call, int port, String name) {
            call.out().printf("LISTEN 0      128          0.0.0.0:%-5d     0.0.0.0:*     users:((\"%s\"))%n", port,
                    name);
        }
    }
}
