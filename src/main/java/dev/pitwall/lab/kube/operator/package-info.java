/** The GPU Operator: it reads its ClusterPolicy, labels nodes with cards, deploys operands and says how they stand. */
package dev.pitwall.lab.kube.operator;
