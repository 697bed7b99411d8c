/** Talos: the machine API of its nodes, gRPC over TLS with client certificates, and the Image Factory that builds its images. */
package dev.pitwall.link.talos;
