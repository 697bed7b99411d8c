package dev.pitwall.journey.host;

import dev.pitwall.journey.survey.HostFiles;

import java.util.regex.Pattern;

/** Files of a Proxmox host that decide what the next boot does. Pitwall writes its own ones, and one that is shared. */
final class Paths {
    /** Read last of all modprobe files with usual names, so that its {@code ids=} is the one that counts. */
    static final String OWN_MODPROBE = HostFiles.MODPROBE;
    static final String OWN_MODULES = HostFiles.MODULES;
    static final String OWN_GRUB = HostFiles.GRUB;
    static final String OWN_UDEV = HostFiles.UDEV;

    static final String GRUB = "/etc/default/grub";
    /** The shared one: systemd-boot has no folder of snippets (facts: proxmox.md 2.2). */
    static final String KERNEL_COMMAND_LINE = HostFiles.COMMAND_LINE;
    static final String INITRAMFS_MODULES = "/etc/initramfs-tools/modules";
    static final String MODULES = "/etc/modules";
    static final String INTERFACES = HostFiles.NETWORK;
    static final String DRIVERCTL = "/etc/driverctl.d/";

    static final Pattern GRUB_SNIPPET = Pattern.compile("/etc/default/grub\\.d/[^/]+\\.cfg");
    static final Pattern MODPROBE = Pattern.compile("/(?:etc|run|lib|usr/lib|usr/local/lib)/modprobe\\.d/[^/]+\\.conf");
    static final Pattern MODULES_LOAD = Pattern.compile(
            "/(?:etc|run|lib|usr/lib|usr/local/lib)/modules-load\\.d/[^/]+\\.conf");
    static final Pattern UDEV_RULES = Pattern.compile("/(?:etc|run|lib|usr/lib)/udev/rules\\.d/[^/]+\\.rules");
    static final Pattern INTERFACES_PART = Pattern.compile("/etc/network/interfaces(?:\\.d/[^/]+)?");

    private Paths() {
    }
}
