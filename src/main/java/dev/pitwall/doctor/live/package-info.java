/**
 * The Doctor at a live site: its hosts, VMs, nodes and cluster as evidence of the same forms that a person would paste,
 * and what the towers and the wizard say of them already.
 */
package dev.pitwall.doctor.live;
