/**
 * Talos in the lab: the machine API of each node, and an Image Factory. What a node's image and configuration bring is
 * kept in {@link dev.pitwall.lab.world.LabTalos}.
 */
package dev.pitwall.lab.talos;
