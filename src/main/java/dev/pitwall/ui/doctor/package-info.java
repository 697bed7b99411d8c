/** The Doctor page: findings with their evidence and fix, the diagnosis of pasted and saved outputs, and the watch. */
package dev.pitwall.ui.doctor;
