/**
 * The steps of the cluster: the GPU Operator or the standalone device plugin, taints, sharing, and the tower of operands
 * that has to come up on the card's node.
 */
package dev.pitwall.journey.operator;
