package dev.pitwall.read;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The kernel's command line.
 *
 * @param loader  what started this kernel; it says which file has to be edited
 * @param options every word, in order, quotes kept
 */
public record KernelCommandLine(Loader loader, List<String> options, List<String> notes) implements Understood {
    public KernelCommandLine {
        options = List.copyOf(options);
        notes = List.copyOf(notes);
    }

    /** Boot loaders of a Proxmox host (facts: pve-installer, proxmox-boot-tool). */
    public enum Loader {
        /** {@code BOOT_IMAGE=}: options come from {@code /etc/default/grub}. */
        GRUB,
        /** {@code initrd=\EFI\proxmox\}: options come from {@code /etc/kernel/cmdline}. */
        SYSTEMD_BOOT,
        UNKNOWN;

        /** The stable name in JSON. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** The file in which options are set on a Proxmox host. */
        public Optional<String> file() {
            return switch (this) {
                case GRUB -> Optional.of("/etc/default/grub");
                case SYSTEMD_BOOT -> Optional.of("/etc/kernel/cmdline");
                case UNKNOWN -> Optional.empty();
            };
        }
    }

    /** The last value of an option; a later one wins in the kernel too. Empty text for a bare word. */
    public Optional<String> value(String name) {
        return options.stream().filter(o -> o.equals(name) || o.startsWith(name + "="))
                .map(o -> o.length() > name.length() ? o.substring(name.length() + 1) : "")
                .reduce((first, last) -> last);
    }

    @Override
    public Kind kind() {
        return Kind.CMDLINE;
    }
}
