/** A diagnosis in the forms in which it is given away. */
package dev.pitwall.doctor.report;
