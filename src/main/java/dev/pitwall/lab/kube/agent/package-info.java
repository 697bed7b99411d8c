/**
 * Third-party agents of the lab's clusters: what Kyverno, Kubeflow's notebook controller, Kubemoot and a builder of Jobs
 * do while their pods are ready, and what runs in the containers of model servers and notebooks.
 */
package dev.pitwall.lab.kube.agent;
