/** The controllers of workloads: what makes pods, and what takes them away again. */
package dev.pitwall.lab.kube.control.workload;
