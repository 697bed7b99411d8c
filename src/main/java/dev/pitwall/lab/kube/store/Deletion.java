package dev.pitwall.lab.kube.store;

/**
 * What a deletion did.
 *
 * @param last the object's last version
 * @param gone false if it stays until somebody is done with it
 */
public record Deletion(StoredObject last, boolean gone) {
}
