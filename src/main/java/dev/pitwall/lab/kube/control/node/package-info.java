/** What the control plane does about nodes: taints that follow from their conditions, and pods that taints drive out. */
package dev.pitwall.lab.kube.control.node;
