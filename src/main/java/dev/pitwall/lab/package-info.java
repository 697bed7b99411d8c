/**
 * The practice lab: a homelab in this process, on loopback, speaking the real protocols. {@link dev.pitwall.lab.Lab}
 * starts one.
 */
package dev.pitwall.lab;
