/** How faults reach the cluster: edits of its objects, and the faults that are there from the start. */
package dev.pitwall.lab.kube.fault;
