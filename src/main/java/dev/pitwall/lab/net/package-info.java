/**
 * What all servers of a lab share: its certificate authority and its HTTP listeners.
 */
package dev.pitwall.lab.net;
