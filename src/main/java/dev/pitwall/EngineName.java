package dev.pitwall;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** What an engine calls itself in a Lease: where it runs, and something that no other has, as Kubernetes' own do. */
final class EngineName {
    private EngineName() {
    }

    /** May ask for this machine's name; in a pod that is the pod's. */
    static String ofThisProcess() {
        return host() + "_" + UUID.randomUUID();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "pitwall";
        }
    }
}
