package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.Machine;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.world.HostApi;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.Restart;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Programs that take the machine down. The connection closes with it. */
final class PowerCommands {
    /** From {@code poweroff} in a guest until its VM stops. */
    private static final Duration GUEST_GOES_DOWN = Duration.ofSeconds(8);
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
                call.machine().change((w, s) -> s.shutdownAt = Optional.empty());
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
            Instant at = call.machine().state().now().plus(Duration.ofMinutes(Long.parseLong(when.substring(1))));
            call.machine().change((w, s) -> {
                s.shutdownAt = Optional.of(at);
                w.plan(at, later -> {
                    if (s.shutdownAt.filter(at::equals).isPresent()) {
                        s.shutdownAt = Optional.empty();
                        go(later, call.machine(), way);
                    }
                });
            });
            call.err().println((way == Way.REBOOT ? "Reboot" : "Shutdown") + " scheduled for " + at
                    + ", use 'shutdown -c' to cancel.");
            return Call.OK;
        }
    }

    static int go(Call call, Way way) {
        call.machine().world().change(w -> go(w, call.machine(), way));
        return Call.OK;
    }

    /** A Proxmox host shuts its VMs down first, as its services have it. */
    private static void go(World world, Machine machine, Way way) {
        Optional<HostApi> api = machine.hostApi().filter(a -> machine.state().isProxmox());
        if (api.isPresent()) {
            api.get().goDown(machine.name(), way == Way.REBOOT ? HostApi.Then.REBOOT : HostApi.Then.STAY_OFF);
        } else {
            take(world, machine.name(), way, world.clock().instant());
        }
    }

    private static void take(World world, String machine, Way way, Instant now) {
        LabNode node = world.nodes.get(machine);
        if (node != null && node.vmid != 0) {
            if (way == Way.REBOOT) {
                Restart.guest(world, world.vms.get(node.vmid), now);
            } else {
                PowerSwitch.askGuestToPowerOff(world.vms.get(node.vmid), now, GUEST_GOES_DOWN);
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
