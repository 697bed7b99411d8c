/** Figures that follow from objects and limit others: disruption budgets and quotas. */
package dev.pitwall.lab.kube.control.policy;
