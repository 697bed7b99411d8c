/** Signs: what single lines and objects mean to the catalogue. */
package dev.pitwall.doctor.sign;
