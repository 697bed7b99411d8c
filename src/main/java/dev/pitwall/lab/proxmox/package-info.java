/**
 * The Proxmox VE API of the lab, answered from its world.
 */
package dev.pitwall.lab.proxmox;
