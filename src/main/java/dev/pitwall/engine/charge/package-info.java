/** Who decides for a site: one engine at a time, whoever holds the Lease of its cluster. */
package dev.pitwall.engine.charge;
