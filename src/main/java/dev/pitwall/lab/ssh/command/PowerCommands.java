package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.Restart;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;

/** Programs that take the machine down. The connection closes with it. */
final class PowerCommands {
    private static final String MINUTES = "\\+\\d+";

    private PowerCommands() {
    }

    static void install(Commands commands) {
        commands.add("reboot", PowerCommands::has, call -> go(call, Way.REBOOT))
                .add("poweroff", PowerCommands::has, call -> go(call, Way.OFF))
                .add("halt", PowerCommands::has, call -> go(call, Way.OFF))
                .add("shutdown", PowerCommands::has, new Shutdown());
    }

    private static boolean has(MachineState m) {
        return m.kind() != MachineState.Kind.JUMP;
    }

    /** What comes after going down. */
    enum Way { REBOOT, OFF }

    static final class Shutdown implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "rhPHkc", "reboot", "poweroff", "halt", "no-wall");
            if (options.refused()) {
                return options.refuse(1);
            }
            if (options.has("c", "")) {
                return Call.OK;
            }
            String when = options.operands().isEmpty() ? "+1" : options.operands().getFirst();
            Way way = options.has("r", "reboot") ? Way.REBOOT : Way.OFF;
            if (when.equals("now") || when.equals("+0")) {
                return go(call, way);
            }
            if (!when.matches(MINUTES)) {
                call.err().println("Failed to parse time specification: " + when);
                return 1;
            }
            World world = call.machine().world();
            Instant at = call.machine().state().now().plus(Duration.ofMinutes(Long.parseLong(when.substring(1))));
            world.change(w -> w.plan(at, later -> take(later, call.machine().name(), way, later.clock().instant())));
            call.err().println((way == Way.REBOOT ? "Reboot" : "Shutdown") + " scheduled for " + at
                    + ", use 'shutdown -c' to cancel.");
            return Call.OK;
        }
    }

    static int go(Call call, Way way) {
        World world = call.machine().world();
        world.change(w -> take(w, call.machine().name(), way, w.clock().instant()));
        return Call.OK;
    }

    private static void take(World world, String machine, Way way, Instant now) {
        LabNode node = world.nodes.get(machine);
        if (node != null && node.vmid != 0) {
            if (way == Way.REBOOT) {
                Restart.guest(world, world.vms.get(node.vmid), now);
            } else {
                PowerSwitch.stop(world, world.vms.get(node.vmid));
            }
            return;
        }
        LabHost host = world.hosts.get(node == null ? machine : node.host);
        if (way == Way.REBOOT) {
            Restart.host(world, host, now);
        } else {
            Restart.powerOff(world, host, now);
        }
    }
}
