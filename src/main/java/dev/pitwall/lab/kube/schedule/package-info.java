/** The scheduler: which node a pod is bound to, and in Kubernetes' own words why none will do. */
package dev.pitwall.lab.kube.schedule;
