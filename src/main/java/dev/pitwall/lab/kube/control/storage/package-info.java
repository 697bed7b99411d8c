/** Volume claims and volumes: binding, provisioning, reclaiming, protection while they are used. */
package dev.pitwall.lab.kube.control.storage;
