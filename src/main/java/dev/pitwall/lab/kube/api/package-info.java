/** A Kubernetes API server over the object store: discovery, reads, watches, writes, logs, proxy and access. */
package dev.pitwall.lab.kube.api;
