/** What becomes of the pods of nodes before their machines go down: a part of every step that ends in a reboot. */
package dev.pitwall.journey.drain;
