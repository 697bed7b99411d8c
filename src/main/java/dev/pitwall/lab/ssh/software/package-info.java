/**
 * What is installed on a machine and runs there: packages, modules that DKMS builds, services.
 */
package dev.pitwall.lab.ssh.software;
