/** The Proxmox VE API, 7.4 to 9.x: signing in, reading hosts and VMs, and the test of the way to it. */
package dev.pitwall.link.proxmox;
