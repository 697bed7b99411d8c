/**
 * What Kyverno does with the ClusterPolicies of a cluster: it changes and refuses objects as their rules say. A rule in
 * words that are not known here is reported in the policy's status, and never passed over in silence.
 */
package dev.pitwall.lab.kube.agent.kyverno;
