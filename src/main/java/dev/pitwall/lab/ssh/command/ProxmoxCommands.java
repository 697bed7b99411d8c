package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.MachineState.VmView;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Proxmox's own programs, as far as they only read. */
final class ProxmoxCommands {
    private ProxmoxCommands() {
    }

    static void install(Commands commands) {
        commands.add("qm", MachineState::isProxmox, new Qm())
                .add("pveversion", MachineState::isProxmox, new PveVersion());
    }

    static final class PveVersion implements Command {
        @Override
        public int run(Call call) {
            MachineState m = call.machine().state();
            call.out().println("pve-manager/" + m.pveVersion() + "/" + Integer.toHexString(
                    m.pveVersion().hashCode() | 0x10000000) + "00000000 (running kernel: " + m.kernel() + ")");
            return Call.OK;
        }
    }

    static final class Qm implements Command {
        @Override
        public int run(Call call) {
            List<String> o = call.operands();
            String verb = o.isEmpty() ? "" : o.getFirst();
            if (verb.equals("list")) {
                return list(call);
            }
            if (!List.of("config", "status", "pending").contains(verb)) {
                call.err().println("ERROR: this lab's qm knows list, config, pending and status");
                return 255;
            }
            if (o.size() < 2 || !o.get(1).matches("\\d+")) {
                call.err().println("400 not enough arguments\nqm " + verb + " <vmid> [OPTIONS]");
                return 255;
            }
            Optional<VmView> vm = call.machine().state().vms().stream()
                    .filter(v -> v.vmid() == Integer.parseInt(o.get(1))).findFirst();
            if (vm.isEmpty()) {
                call.err().println("Configuration file 'nodes/" + call.machine().name() + "/qemu-server/" + o.get(1)
                        + ".conf' does not exist");
                return 2;
            }
            switch (verb) {
                case "config" -> config(call, vm.get());
                case "pending" -> pending(call, vm.get());
                default -> call.out().println("status: " + vm.get().status());
            }
            return Call.OK;
        }

        private static int list(Call call) {
            call.out().println("      VMID NAME                 STATUS     MEM(MB)    BOOTDISK(GB) PID       ");
            for (VmView vm : call.machine().state().vms()) {
                boolean running = vm.status().equals("running");
                call.out().printf(Locale.ROOT, "%10d %-20s %-10s %-10s %12.2f %-10d%n", vm.vmid(),
                        vm.config().getOrDefault("name", "VM " + vm.vmid()), vm.status(),
                        vm.config().getOrDefault("memory", "512"), diskGb(vm), running ? 2000 + vm.vmid() : 0);
            }
            return Call.OK;
        }

        private static double diskGb(VmView vm) {
            return vm.config().entrySet().stream().filter(e -> e.getKey().matches("(scsi|virtio|sata)0"))
                    .map(e -> e.getValue().replaceFirst(".*size=(\\d+)G.*", "$1")).filter(s -> s.matches("\\d+"))
                    .mapToDouble(Double::parseDouble).findFirst().orElse(0);
        }

        /** {@code --current} shows what the running VM was started with. */
        private static void config(Call call, VmView vm) {
            Map<String, String> shown = call.has("--current") && !vm.running().isEmpty() ? vm.running() : vm.config();
            new TreeMap<>(shown).forEach((k, v) -> call.out().println(k + ": " + v));
        }

        private static void pending(Call call, VmView vm) {
            TreeMap<String, String> all = new TreeMap<>(vm.running().isEmpty() ? vm.config() : vm.running());
            vm.config().forEach(all::putIfAbsent);
            all.forEach((key, value) -> {
                String saved = vm.config().get(key);
                boolean running = !vm.running().isEmpty();
                String now = vm.running().get(key);
                if (running && saved == null) {
                    call.out().println("del " + key + ": " + now);
                } else if (running && !saved.equals(now)) {
                    call.out().println((now == null ? "" : "cur " + key + ": " + now + "\n") + "new " + key + ": " + saved);
                } else {
                    call.out().println("cur " + key + ": " + value);
                }
            });
        }
    }
}
