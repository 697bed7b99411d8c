/** Who owns which field of an object, and server-side apply on top of that. */
package dev.pitwall.lab.kube.apply;
