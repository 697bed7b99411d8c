/** The lab's Kubernetes cluster: its server, its kubeconfig and what answers behind the API server's proxy. */
package dev.pitwall.lab.kube;
