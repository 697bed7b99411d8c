/**
 * The steps inside the node: who brings driver and container runtime, and how they get there on Debian, Ubuntu and the
 * RHEL family.
 */
package dev.pitwall.journey.node;
