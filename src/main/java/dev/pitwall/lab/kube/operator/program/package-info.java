/** The programs of NVIDIA's container images: driver, toolkit, validator, device plugin, discovery and telemetry. */
package dev.pitwall.lab.kube.operator.program;
