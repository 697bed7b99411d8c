package dev.pitwall.lab.kube.cluster;

/** The controller an object belongs to. */
record Owner(String apiVersion, String kind, String name, String uid) {
}
