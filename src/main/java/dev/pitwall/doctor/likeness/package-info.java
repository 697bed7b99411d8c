/** What public reports say where no rule can tell: which of them a text reads like, and what their cause was. */
package dev.pitwall.doctor.likeness;
