package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.lab.data.DataFile;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Privileges and Proxmox's own roles, release by release: {@code lab/proxmox/privileges.yaml}. */
final class Roles {
    static final String NO_ACCESS = "NoAccess";
    static final String ADMINISTRATOR = "Administrator";

    private final JsonNode data;

    Roles() {
        this.data = DataFile.tree("proxmox/privileges.yaml");
    }

    /** Every privilege of a release. */
    Set<String> privileges(PveVersion version) {
        Set<String> all = new TreeSet<>();
        data.path("groups").forEach(group -> group.forEach(rank -> add(all, rank, version)));
        return all;
    }

    /** Privileges of Proxmox's own roles. */
    Map<String, Set<String>> own(PveVersion version) {
        Map<String, Set<String>> roles = new TreeMap<>();
        roles.put(ADMINISTRATOR, privileges(version));
        roles.put(NO_ACCESS, Set.of());
        Set<String> admin = new TreeSet<>();
        Set<String> audit = new TreeSet<>();
        data.path("groups").properties().forEach(entry -> {
            JsonNode group = entry.getValue();
            roles.put("PVE" + entry.getKey() + "Admin", of(version, group, "admin", "user", "audit"));
            if (group.has("user")) {
                roles.put("PVE" + entry.getKey() + "User", of(version, group, "user", "audit"));
            }
            admin.addAll(of(version, group, "admin", "user", "audit"));
            audit.addAll(of(version, group, "audit"));
        });
        roles.put("PVEAdmin", admin);
        roles.put("PVEAuditor", audit);
        data.path("roles").properties().forEach(entry -> {
            Set<String> named = new TreeSet<>();
            add(named, entry.getValue(), version);
            roles.put(entry.getKey(), named);
        });
        roles.values().removeIf(Set::isEmpty);
        roles.put(NO_ACCESS, Set.of());
        return roles;
    }

    private Set<String> of(PveVersion version, JsonNode group, String... ranks) {
        Set<String> privileges = new TreeSet<>();
        Arrays.stream(ranks).forEach(rank -> add(privileges, group.path(rank), version));
        return privileges;
    }

    private void add(Set<String> to, JsonNode list, PveVersion version) {
        list.forEach(item -> {
            String privilege = item.asText();
            if (version.major() >= data.path("since").path(privilege).asInt(0)
                    && version.major() <= data.path("until").path(privilege).asInt(Integer.MAX_VALUE)) {
                to.add(privilege);
            }
        });
    }
}
