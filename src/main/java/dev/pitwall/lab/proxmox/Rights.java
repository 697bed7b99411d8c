package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabToken;
import dev.pitwall.lab.world.LabUser;
import dev.pitwall.lab.world.World;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a caller may do. {@code root@pam} with a ticket may do all; a token with privilege separation has what both
 * its own entries and its user's allow. [facts: proxmox.md 1.3, 1.4]
 */
final class Rights {
    static final String ROOT = "root@pam";

    private final World world;
    private final Set<String> all;

    /** @param all every privilege there is */
    Rights(World world, Set<String> all) {
        this.world = world;
        this.all = all;
    }

    /** Privileges of a caller at a path, those that come down from above included. Call inside a world lock. */
    Set<String> at(Caller caller, String path) {
        return switch (caller) {
            case Caller.User user -> ofUser(user.id(), path);
            case Caller.Token token -> ofToken(token.id(), path);
        };
    }

    /** At the paths Proxmox lists and those that have entries of the caller's own. */
    Map<String, Set<String>> of(Caller caller) {
        Set<String> paths = new TreeSet<>(Set.of("/", "/access", "/access/groups", "/nodes", "/pool", "/sdn", "/storage",
                "/vms", "/mapping", "/mapping/pci"));
        own(caller).forEach((path, privileges) -> paths.add(path));
        Map<String, Set<String>> rights = new TreeMap<>();
        paths.forEach(path -> {
            Set<String> here = at(caller, path);
            if (!here.isEmpty()) {
                rights.put(path, here);
            }
        });
        return rights;
    }

    private Map<String, Set<String>> own(Caller caller) {
        return switch (caller) {
            case Caller.User user -> world.users.get(user.id()).rights();
            case Caller.Token token -> world.tokens.get(token.id()).rights();
        };
    }

    private Set<String> ofUser(String id, String path) {
        LabUser user = world.users.get(id);
        if (user == null) {
            return Set.of();
        }
        return id.equals(ROOT) ? all : down(user.rights(), path);
    }

    private Set<String> ofToken(String id, String path) {
        LabToken token = world.tokens.get(id);
        if (token == null) {
            return Set.of();
        }
        Set<String> user = ofUser(token.user(), path);
        if (!token.privsep()) {
            return user;
        }
        Set<String> both = new TreeSet<>(down(token.rights(), path));
        both.retainAll(user);
        return both;
    }

    /** The entry nearest to the path counts; entries come down to everything below them. */
    private static Set<String> down(Map<String, Set<String>> rights, String path) {
        return Stream.iterate(path, at -> !at.isEmpty(), Rights::above)
                .filter(rights::containsKey).findFirst().map(rights::get).orElse(Set.of());
    }

    private static String above(String path) {
        int slash = path.lastIndexOf('/');
        if (slash > 0) {
            return path.substring(0, slash);
        }
        return path.equals("/") ? "" : "/";
    }
}
