package dev.pitwall.lab.world;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;

/**
 * A Proxmox host's API as its own programs call it, as {@code root@pam} and without the network: {@code qm} and
 * {@code pvesh} in a shell are the same methods.
 */
public interface HostApi {

    /** What follows when a host has gone down. */
    enum Then { REBOOT, STAY_OFF }

    /** A call that was refused, with Proxmox's own text. */
    final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        private final int status;
        private final transient Map<String, String> errors;

        public Refused(int status, String text, Map<String, String> errors) {
            super(text);
            this.status = status;
            this.errors = Map.copyOf(errors);
        }

        /** The HTTP status that the API would answer with. */
        public int status() {
            return status;
        }

        /** One text for each wrong parameter. */
        public Map<String, String> errors() {
            return errors;
        }
    }

    /**
     * Calls a method. Never inside the world's lock.
     *
     * @param node   the host it is called on
     * @param method {@code GET}, {@code POST}, {@code PUT} or {@code DELETE}
     * @param path   for example {@code /nodes/pve1/qemu}
     * @return the answer's data; a null node for none
     * @throws InterruptedException if the waiting thread is interrupted
     */
    JsonNode call(String node, String method, String path, Map<String, List<String>> parameters)
            throws Refused, InterruptedException;

    /** A host is told to go down: its VMs are shut down first. Returns at once, also inside the world's lock. */
    void goDown(String node, Then then);
}
