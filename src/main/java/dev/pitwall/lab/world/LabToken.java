package dev.pitwall.lab.world;

import java.util.Map;
import java.util.Set;

/**
 * A Proxmox API token of the lab.
 *
 * @param id       {@code name@realm!token}
 * @param privsep  false: it may do what its user may; true: only what {@code rights} names
 * @param rights   privileges by path, each counting for everything below it
 * @param comment  a word about it; may be empty
 * @param expires  end of its time, seconds since 1970; 0 means never
 */
public record LabToken(String id, String secret, boolean privsep, Map<String, Set<String>> rights, String comment,
                       long expires) {

    /** A token without an end. */
    public LabToken(String id, String secret, boolean privsep, Map<String, Set<String>> rights) {
        this(id, secret, privsep, rights, "", 0);
    }

    /** The user it belongs to. */
    public String user() {
        return id.substring(0, id.indexOf('!'));
    }

    @Override
    public String toString() {
        return "LabToken[" + id + "]";
    }
}
