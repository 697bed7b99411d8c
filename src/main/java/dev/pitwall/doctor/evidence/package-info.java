/** Pieces of evidence and how they are read: live outputs, files, folders, archives, pasted text. */
package dev.pitwall.doctor.evidence;
