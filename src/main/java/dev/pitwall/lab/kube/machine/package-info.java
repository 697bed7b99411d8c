/** What a program in a container sees of its node: files, the driver, the container runtime, the cards. */
package dev.pitwall.lab.kube.machine;
