/** The command that diagnoses. */
package dev.pitwall.cli.doctor;
