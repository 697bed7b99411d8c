/**
 * What a machine's kernel does: its boot, who gets which device, the modules, the files under {@code /sys} that take requests.
 */
package dev.pitwall.lab.ssh.kernel;
