/** Node Feature Discovery: workers that look at their node, and the master that writes what they found as labels. */
package dev.pitwall.lab.kube.operator.discovery;
