/** The objects of a cluster as JSON text, with one revision counter and a bounded log for watches. */
package dev.pitwall.lab.kube.store;
