package dev.pitwall.card;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A VM of a Proxmox host.
 *
 * @param smbiosUuid    lower case; equals {@code nodeInfo.systemUUID} of the Kubernetes node in it
 * @param machine       the running machine type, else the configured one, for example {@code q35}; empty means i440fx
 * @param bios          {@code seabios} or {@code ovmf}
 * @param uptimeSeconds empty unless running
 * @param passthrough   {@code hostpciN} entries with pending changes applied
 * @param runningPassthrough entries of the running VM; equal to {@code passthrough} when nothing is pending
 * @param pendingKeys   configuration keys whose change waits for a full stop and start
 * @param lock          Proxmox's lock, for example {@code backup}
 */
public record VmReport(int vmid, String name, Status status, Optional<String> smbiosUuid, Optional<String> machine,
                       String bios, OptionalLong uptimeSeconds, List<Passthrough> passthrough,
                       List<Passthrough> runningPassthrough, List<String> pendingKeys, Optional<String> lock,
                       boolean template, boolean onboot, Optional<String> osType) {

    public VmReport {
        passthrough = List.copyOf(passthrough);
        runningPassthrough = List.copyOf(runningPassthrough);
        pendingKeys = List.copyOf(pendingKeys);
    }

    public enum Status { RUNNING, PAUSED, STOPPED, UNKNOWN }

    /**
     * One {@code hostpciN} line. Exactly one of addresses and mapping is given.
     *
     * @param key       for example {@code hostpci0}
     * @param addresses whole slots where no function is given
     * @param pcie      needs machine q35
     */
    public record Passthrough(String key, List<PciAddress> addresses, Optional<String> mapping, boolean pcie) {
        public Passthrough {
            addresses = List.copyOf(addresses);
        }
    }
}
