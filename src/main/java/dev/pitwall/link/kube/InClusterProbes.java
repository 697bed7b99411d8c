package dev.pitwall.link.kube;

import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Probe;

/** stub */
final class InClusterProbes {
    InClusterProbes(OpenServer open, ClusterState state, NetworkTrouble troubles) {
    }

    Probe<TelemetryReport> metrics(Endpoint endpoint) {
        throw new UnsupportedOperationException();
    }

    Probe<TelemetryReport> exporters() {
        throw new UnsupportedOperationException();
    }

    Probe<ServerReport> server(String name, Endpoint endpoint) {
        throw new UnsupportedOperationException();
    }
}
