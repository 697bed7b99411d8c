/** What makes Services lead somewhere: their addresses, their endpoints and endpoint slices. */
package dev.pitwall.lab.kube.control.network;
