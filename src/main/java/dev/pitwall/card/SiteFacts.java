package dev.pitwall.card;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Everything known of a site at one moment: the input of {@link CardAssembler}. A source that is not configured is
 * absent; one that is configured but silent is present with its trouble.
 *
 * @param hosts     Proxmox hosts by node name
 * @param machines  shells by the name of the machine in the site
 * @param servers   model servers by name
 * @param proofs    results of the last proof by card id
 */
public record SiteFacts(Instant now, Map<String, Observed<HostReport>> hosts,
                        Map<String, Observed<MachineReport>> machines, Optional<Observed<ClusterReport>> cluster,
                        Optional<Observed<TelemetryReport>> telemetry, Map<String, Observed<ServerReport>> servers,
                        Map<String, ServerPlace> serverPlaces, Map<String, ProofResult> proofs) {

    public SiteFacts {
        hosts = Map.copyOf(hosts);
        machines = Map.copyOf(machines);
        servers = Map.copyOf(servers);
        serverPlaces = Map.copyOf(serverPlaces);
        proofs = Map.copyOf(proofs);
    }

    /** Where a model server runs, as far as known: a pod found in the cluster, or a node named in the site. */
    public record ServerPlace(Optional<String> node, Optional<String> namespace, Optional<String> pod) {
    }

    /** The same with the last proofs of its cards. */
    public SiteFacts with(Map<String, ProofResult> results) {
        return new SiteFacts(now, hosts, machines, cluster, telemetry, servers, serverPlaces, results);
    }

    /**
     * The last proof of a card: a CUDA pod that ended in "Test PASSED", or did not.
     *
     * @param by   how a person can look it up, for example {@code pitwall journal --run 41}
     * @param boot boot id of the node then; empty where it was not known
     */
    public record ProofResult(boolean passed, Instant at, long tookMillis, String by, Optional<String> boot) {
    }
}
