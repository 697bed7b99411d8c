/**
 * The control plane behind the API server: a loop that runs controllers, what they know of pods, and how they write.
 */
package dev.pitwall.lab.kube.control;
