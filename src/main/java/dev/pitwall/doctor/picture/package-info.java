/** What the evidence shows beyond its lines, and checks that compare its parts. */
package dev.pitwall.doctor.picture;
