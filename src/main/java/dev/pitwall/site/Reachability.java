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
     * A node that the asked system knows.
     *
     * @param address where that system finds it
     */
    record Peer(String name, Optional<String> address) {
    }

    /**
     * @param identity what the system showed, if it got that far
     * @param notes    what was learnt on the way, as sentences
     * @param peers    the nodes of a Proxmox cluster, the asked one first
     */
    record Outcome(List<Hop> hops, Optional<Identity> identity, List<String> notes, List<Peer> peers) {
        public Outcome {
            hops = List.copyOf(hops);
            notes = List.copyOf(notes);
            peers = List.copyOf(peers);
        }

        /** Of a system without peers. */
        public Outcome(List<Hop> hops, Optional<Identity> identity, List<String> notes) {
            this(hops, identity, notes, List.of());
        }

        /** True if every hop went through. */
        public boolean passed() {
            return hops.stream().allMatch(h -> h.state() == Hop.State.OK);
        }
    }
}
