/** What the Doctor answers. */
package dev.pitwall.doctor.diagnosis;
