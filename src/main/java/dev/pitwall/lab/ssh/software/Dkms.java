package dev.pitwall.lab.ssh.software;

import dev.pitwall.lab.ssh.Machine;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.kernel.Kernels;
import dev.pitwall.lab.world.LabSystem.NvidiaModule;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * DKMS on one machine: builds the NVIDIA modules whose sources are installed, for each kernel whose headers are. A key
 * of the machine's owner signs them; Secure Boot takes that signature once the key is enrolled.
 */
public final class Dkms {
    private final Machine machine;

    public Dkms(Machine machine) {
        this.machine = machine;
    }

    /** The module whose sources are installed. */
    public Optional<NvidiaModule> source() {
        MachineState m = machine.state();
        return machine.catalog().all(m.osId(), m.kernel()).stream().filter(e -> m.system().has(e.name()))
                .flatMap(e -> e.module().stream()).filter(NvidiaModule::dkms).findFirst();
    }

    public boolean hasHeaders(String kernel) {
        MachineState.SystemView system = machine.state().system();
        return system.has("linux-headers-" + kernel) || system.has("proxmox-headers-" + kernel);
    }

    /** Name of the key with which this machine signs what it builds. */
    public static String signer(String machineName) {
        return machineName + " Secure Boot Module Signature key";
    }

    /** Builds for every kernel of the disk that has headers and no module yet, as packages do after their installation. */
    public void autoinstall(PrintStream out) throws IOException {
        Optional<NvidiaModule> source = source();
        if (source.isEmpty()) {
            return;
        }
        for (String kernel : Kernels.installed(machine.disk())) {
            Optional<NvidiaModule> there = Optional.ofNullable(machine.state().system().nvidiaModules().get(kernel));
            if (there.filter(m -> m.version().equals(source.get().version()) && m.open() == source.get().open())
                    .isPresent()) {
                continue;
            }
            if (!hasHeaders(kernel)) {
                out.println("Module build for kernel " + kernel + " was skipped since the\n"
                        + "kernel headers for this kernel do not seem to be installed.");
                continue;
            }
            build(kernel, source.get(), out);
        }
    }

    /** Builds and installs the module for one kernel; takes its time. */
    public void build(String kernel, NvidiaModule source, PrintStream out) throws IOException {
        out.println("Building module:\nCleaning build area...\nBuilding module(s)......");
        Waits.pass(machine.world(), Duration.ofSeconds(machine.catalog().dkmsSeconds()));
        out.println("Signing module /var/lib/dkms/nvidia/" + source.version()
                + "/build/nvidia.ko\nCleaning build area...");
        for (String part : List.of("nvidia", "nvidia-modeset", "nvidia-drm", "nvidia-uvm")) {
            out.println("\n" + part + ".ko:\nRunning module version sanity check.\n - Installation\n   - Installing to "
                    + "/lib/modules/" + kernel + "/updates/dkms/");
        }
        out.println("depmod...");
        NvidiaModule built = new NvidiaModule(source.version(), source.open(), signer(machine.name()), true);
        machine.change((w, s) -> s.nvidiaModules.put(kernel, built));
    }

    public void remove(String kernel) {
        machine.change((w, s) -> s.nvidiaModules.remove(kernel));
    }
}
