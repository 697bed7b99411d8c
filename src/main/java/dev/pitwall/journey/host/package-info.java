/**
 * The steps of the wizard on the Proxmox host: IOMMU, group, binding, idle power. Each is a pure function of what was
 * read. One step alone writes each file: {@code iommu} the kernel's command line, with the options that later steps ask
 * for; {@code bind} the modprobe, udev and module files, with the option for idle cards; {@code idle-power} writes that
 * option only where the binding is done already.
 */
package dev.pitwall.journey.host;
