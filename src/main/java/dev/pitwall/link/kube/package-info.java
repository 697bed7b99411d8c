/** A Kubernetes cluster: kubeconfigs, watches over the API server, and services reached through its proxy. */
package dev.pitwall.link.kube;
