/**
 * The kubelets of the lab's nodes: pods' lives, containers and what runs in them, and the books of devices.
 */
package dev.pitwall.lab.kube.kubelet;
