package dev.pitwall.lab.kube.machine;

/**
 * A card as a program on its node sees it.
 *
 * @param product as NVML names it
 * @param pciId   {@code 10de:25b0}
 * @param address slot in the node, {@code 0000:01:00}
 * @param lastXid 0 for none
 * @param lost    it has fallen off the bus
 */
public record CardFacts(String product, String uuid, long vramMiB, String pciId, String address, int lastXid,
                        boolean lost) {
}
