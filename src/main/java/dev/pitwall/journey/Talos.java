package dev.pitwall.journey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The machine API of a site's Talos nodes, signed in by a talosconfig. A node is named by the address that its endpoint
 * knows it by. Writes are sent once: a connection that is cut meanwhile is a trouble, and what became of it has to be
 * read. Thread-safe.
 */
public interface Talos extends AutoCloseable {

    /** The talosconfig's context. */
    String name();

    /** Addresses of the nodes that the talosconfig names; it need not name all. */
    List<String> nodes();

    Version version(String node) throws TroubleException, InterruptedException;

    /** The services of a node, in the order of their ids. */
    List<Service> services(String node) throws TroubleException, InterruptedException;

    /** The kernel's log since its boot. */
    String kernelLog(String node) throws TroubleException, InterruptedException;

    /**
     * A file; needs the role {@code os:admin}.
     *
     * @return empty if there is none
     */
    Optional<String> read(String node, String path) throws TroubleException, InterruptedException;

    /** Resources of a type, as {@code talosctl get} shows them. */
    List<Resource> list(String node, ResourceType type) throws TroubleException, InterruptedException;

    /**
     * Some fields of the machine configuration that is in force; needs the role {@code os:admin}. The configuration as a
     * whole holds the cluster's secrets and is handed to nobody.
     *
     * @param wanted a tree that names the fields; its values do not matter
     * @return the same fields as they are, {@code null} for those that are not there; lists whole
     */
    JsonNode config(String node, JsonNode wanted) throws TroubleException, InterruptedException;

    /**
     * Sets fields of the machine configuration without a reboot and leaves every other byte of it as it is. Always tried
     * first (dry run).
     *
     * @param before what the fields must be now, {@code null} for those that are not there
     * @param after  what they will be, {@code null} for those that go
     * @return what Talos says of it, for example {@code Applied configuration without a reboot}
     * @throws TroubleException of kind BUSY if a field is not as expected
     */
    String setConfig(String node, JsonNode before, JsonNode after, Cluster.Earnest earnest)
            throws TroubleException, InterruptedException;

    /**
     * Installs an image for the next boot; from Talos 1.13 on nothing reboots by that, before it the node drains itself
     * and reboots.
     *
     * @param lines what the installer says meanwhile
     */
    Installed upgrade(String node, String image, Consumer<String> lines) throws TroubleException, InterruptedException;

    /** Reboots a node, without draining it. It returns when the node has taken the order. */
    void reboot(String node) throws TroubleException, InterruptedException;

    /** What an upgrade leaves to be done. */
    enum Installed {
        /** The node reboots by itself. */
        REBOOTS,
        /** It has to be told to. */
        TO_REBOOT
    }

    /**
     * @param tag      for example {@code v1.13.9}
     * @param platform for example {@code nocloud} or {@code metal}
     * @param arch     for example {@code amd64}
     */
    record Version(String tag, String platform, String arch) {
    }

    /**
     * @param id    for example {@code ext-nvidia-cdi-gen}
     * @param state for example {@code Running}
     * @param says  its last event
     */
    record Service(String id, String state, String says) {
    }

    /** @param spec its fields */
    record Resource(String id, JsonNode spec) {
    }

    /** The types of resources that are read, with where they lie (facts: cluster.md 4.5). */
    enum ResourceType {
        EXTENSION("ExtensionStatuses.runtime.talos.dev", "runtime", "extensions"),
        LOADED_MODULE("LoadedKernelModules.runtime.talos.dev", "runtime", "loadedkernelmodules"),
        PCI_DEVICE("PCIDevices.hardware.talos.dev", "hardware", "pcidevices"),
        SECURITY("SecurityStates.talos.dev", "runtime", "securitystate"),
        MACHINE_STATUS("MachineStatuses.runtime.talos.dev", "runtime", "machinestatus"),
        NODE_STATUS("NodeStatuses.kubernetes.talos.dev", "k8s", "nodestatus");

        private final String type;
        private final String namespace;
        private final String word;

        ResourceType(String type, String namespace, String word) {
            this.type = type;
            this.namespace = namespace;
            this.word = word;
        }

        public String type() {
            return type;
        }

        public String namespace() {
            return namespace;
        }

        /** As {@code talosctl get} takes it. */
        public String word() {
            return word;
        }
    }

    @Override
    void close();
}
