/** The catalogue of named causes, read from {@code resources/traps}. */
package dev.pitwall.doctor.catalogue;
