/** What a cluster contains at its start, planted as manifests that the cluster's own controllers bring to life. */
package dev.pitwall.lab.kube.seed;
