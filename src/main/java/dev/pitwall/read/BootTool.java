package dev.pitwall.read;

import java.util.List;
import java.util.Optional;

/**
 * {@code proxmox-boot-tool status}.
 *
 * @param bootedWith {@code uefi} or {@code legacy bios}
 * @param partitions the boot partitions it keeps in step; empty list where it manages none
 * @param managed    false if it says that it manages nothing, which is normal on plain GRUB; empty if it does not say
 * @param warnings   as printed
 */
public record BootTool(Optional<String> bootedWith, List<Partition> partitions, Optional<Boolean> managed,
                       List<String> warnings, List<String> notes) implements Understood {
    public BootTool {
        partitions = List.copyOf(partitions);
        warnings = List.copyOf(warnings);
        notes = List.copyOf(notes);
    }

    /** @param mode {@code uefi} (systemd-boot) or {@code grub} */
    public record Partition(String uuid, String mode, List<String> kernels) {
        public Partition {
            kernels = List.copyOf(kernels);
        }
    }

    /** The loader that this status proves (facts: proxmox-boot-tool; "uefi" means systemd-boot). */
    public KernelCommandLine.Loader loader() {
        if (managed.filter(m -> !m).isPresent()) {
            return KernelCommandLine.Loader.GRUB;
        }
        List<String> modes = partitions.stream().map(Partition::mode).distinct().toList();
        if (modes.equals(List.of("uefi"))) {
            return KernelCommandLine.Loader.SYSTEMD_BOOT;
        }
        return modes.equals(List.of("grub")) ? KernelCommandLine.Loader.GRUB : KernelCommandLine.Loader.UNKNOWN;
    }

    @Override
    public Kind kind() {
        return Kind.PROXMOX_BOOT_TOOL;
    }
}
