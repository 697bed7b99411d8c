/**
 * The Proxmox hosts of the lab. {@link dev.pitwall.lab.proxmox.Datacenter} puts together what they do, for whoever asks: the
 * API, which the {@code …Calls} classes answer, or a command on a host. What the API does not answer it refuses as a method
 * that is not there, 501; {@code GET /} of a host lists what it answers.
 */
package dev.pitwall.lab.proxmox;
