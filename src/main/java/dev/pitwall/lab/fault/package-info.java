/**
 * Faults by name: what each changes in the world, and how it is taken back.
 */
package dev.pitwall.lab.fault;
