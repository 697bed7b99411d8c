/**
 * What objects of many kinds have in common, read and written in one way by everybody: label selectors, taints and
 * tolerations, quantities, conditions, owners, finalizers.
 */
package dev.pitwall.lab.kube.object;
