/** Adapters to the outside systems. Each implements a port of {@code site} and turns what goes wrong into troubles. */
package dev.pitwall.link;
