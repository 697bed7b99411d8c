/** What API connections turn into for port-forward and exec: WebSockets and SPDY/3.1. */
package dev.pitwall.lab.kube.stream;
