/** What cures a finding: steps of the wizard and cures of the Doctor's own, as exact changes of a run. */
package dev.pitwall.doctor.fix;
