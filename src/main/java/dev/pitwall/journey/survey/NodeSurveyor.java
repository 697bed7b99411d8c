package dev.pitwall.journey.survey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.GuestMachine;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Systems;
import dev.pitwall.read.PropertyText;

import java.time.InstantSource;
import java.util.Optional;

/**
 * Finds the operating system of the node that has the card or is to have it, and reads it: of a bare machine by its
 * shell, of a VM by the shell of its inside, else by its guest agent.
 */
public final class NodeSurveyor {
    private final InstantSource clock;
    private final NodeWishes wishes;

    public NodeSurveyor(InstantSource clock, NodeWishes wishes) {
        this.clock = clock;
        this.wishes = wishes;
    }

    /**
     * @param below what was read of the host and the VM
     * @return empty where nothing answers for the node, or it has no package manager
     * @throws TroubleException if its shell answers at first and not any more
     */
    public Optional<ShellNode> survey(Systems systems, Situation below) throws TroubleException, InterruptedException {
        if (below.host().proxmox().isEmpty()) {
            return read(systems.machine(below.card().host()), ShellNode.Way.SHELL, below);
        }
        Optional<VmSurvey> vm = below.vm().filter(VmSurvey::running);
        if (vm.isEmpty()) {
            return Optional.empty();
        }
        Optional<Machine> shell = new GuestShells(systems).of(vm.get().name(), uuid(vm.get())).filter(NodeSurveyor::answers);
        if (shell.isPresent()) {
            return read(shell.get(), ShellNode.Way.SHELL, below);
        }
        Machine agent = systems.machine(GuestMachine.name(vm.get().node(), vm.get().vmid()));
        // One that answers a ping may still be kept from running commands, or have no shell of a node behind it.
        return vm.get().agent().filter(a -> a).isPresent() && answers(agent) ? read(agent, ShellNode.Way.AGENT, below)
                : Optional.empty();
    }

    private static Optional<String> uuid(VmSurvey vm) {
        return Optional.ofNullable(vm.live().get("smbios1")).flatMap(PropertyText::smbiosUuid);
    }

    /** One with the VM's name may be starting still. */
    private static boolean answers(Machine machine) {
        try {
            return machine.run("uname", "-r").ok();
        } catch (TroubleException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Optional<ShellNode> read(Machine machine, ShellNode.Way way, Situation below)
            throws TroubleException, InterruptedException {
        ShellNode node = new NodeLook(machine, wishes, clock).node(below.nodeName().orElse(machine.name()), way);
        // Talos's agent answers too, and has neither dpkg nor rpm.
        return node.software().manager().isPresent() ? Optional.of(node) : Optional.empty();
    }
}
