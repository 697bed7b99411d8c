/** Checks that compare what was read of a host, its VMs and a node's driver. */
package dev.pitwall.doctor.picture.host;
