/**
 * Admission: what the API server writes into an object before it keeps it, and what it refuses. Requests over the wire and
 * the cluster's own controllers go through the same chain.
 */
package dev.pitwall.lab.kube.admit;
