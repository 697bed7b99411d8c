package dev.pitwall.site;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tests a connection hop by hop, in order, and stops where trust is missing: no secret is sent before the certificate
 * or host key is trusted. Blocks until done; {@code progress} gets the whole list after every change, from the calling
 * thread. Changes nothing on any system.
 */
public interface Reachability {

    /** @param secret the token's secret or the password as typed, not yet stored */
    Outcome proxmox(ProxmoxAccess access, String secret, SecondFactor secondFactor, Consumer<List<Hop>> progress);

    /** @param secret password or passphrase as typed; empty where the login needs none */
    Outcome shell(ShellAccess access, Optional<String> secret, Consumer<List<Hop>> progress);

    Outcome cluster(ClusterAccess access, Consumer<List<Hop>> progress);

    /** @param cluster needed for endpoints inside the cluster */
    Outcome metrics(MetricsAccess access, Optional<ClusterAccess> cluster, Consumer<List<Hop>> progress);

    Outcome server(ServerAccess access, Optional<ClusterAccess> cluster, Consumer<List<Hop>> progress);

    /**
     * @param identity what the system showed, if it got that far
     * @param notes    what was learnt on the way, for example the other nodes of a Proxmox cluster
     */
    record Outcome(List<Hop> hops, Optional<Identity> identity, List<String> notes) {
        public Outcome {
            hops = List.copyOf(hops);
            notes = List.copyOf(notes);
        }

        /** True if every hop went through. */
        public boolean passed() {
            return hops.stream().allMatch(h -> h.state() == Hop.State.OK);
        }
    }
}
