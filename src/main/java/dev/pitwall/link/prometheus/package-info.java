/** DCGM's figures, from Prometheus or straight from its exporters. */
package dev.pitwall.link.prometheus;
