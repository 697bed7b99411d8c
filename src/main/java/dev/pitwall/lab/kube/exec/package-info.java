/**
 * The insides of containers: what a process finds there, and command lines that run there, live for {@code exec} or in
 * the container's own time for its log.
 */
package dev.pitwall.lab.kube.exec;
