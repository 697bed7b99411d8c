/** From signs to findings: confidence, root cause, what is ruled out. */
package dev.pitwall.doctor.reason;
