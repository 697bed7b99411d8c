/** Checks that compare the parts of a cluster with each other. */
package dev.pitwall.doctor.picture.cluster;
