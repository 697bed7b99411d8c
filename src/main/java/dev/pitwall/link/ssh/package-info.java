/** Shells on hosts and nodes over SSH: trust, login, commands, and what a machine says of itself. */
package dev.pitwall.link.ssh;
