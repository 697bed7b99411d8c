/** The objects a cluster has, computed from the lab's world, its faults and the time. */
package dev.pitwall.lab.kube.cluster;
