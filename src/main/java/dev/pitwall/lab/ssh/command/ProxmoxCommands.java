package dev.pitwall.lab.ssh.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;


/** Proxmox's own programs. */
final class ProxmoxCommands {
    private static final int NO_SERVICE = 111;

    private ProxmoxCommands() {
    }

    static void install(Commands commands) {
        commands.add("pveversion", MachineState::isProxmox, new PveVersion());
        table().properties().forEach(p -> commands.add(p.getKey(), MachineState::isProxmox,
                served(new PveProgram(p.getKey(), p.getValue()))));
        commands.add("pvesh", MachineState::isProxmox, served(new Pvesh()));
    }

    private static JsonNode table() {
        return DataFile.tree("ssh/pve-programs.yaml");
    }

    /** Without the cluster file system, which has all of the configuration, these programs can do nothing. */
    private static Command served(Command program) {
        return call -> {
            if (call.machine().hostApi().isEmpty() || !call.machine().units().isActive("pve-cluster")) {
                call.err().println("ipcc_send_rec[1] failed: Connection refused\n"
                        + "Unable to load access control list: Connection refused");
                return NO_SERVICE;
            }
            return program.run(call);
        };
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
}
