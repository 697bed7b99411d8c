/**
 * Diagnosis: which named cause keeps a card from being used. Evidence of any origin becomes signs, signs become findings by
 * the rules of the catalogue, and a finding brings its proof and its cure.
 */
package dev.pitwall.doctor;
