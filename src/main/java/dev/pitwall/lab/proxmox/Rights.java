package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabAcl;
import dev.pitwall.lab.world.LabToken;
import dev.pitwall.lab.world.LabUser;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a caller may do. {@code root@pam} with a ticket may do all; a token with privilege separation has what both
 * its own entries and its user's allow. [facts: proxmox.md 1.3, 1.4]
 */
public final class Rights {
    static final String ROOT = "root@pam";
    /** Paths Proxmox lists when it is asked for all of a caller's rights. */
    private static final Set<String> LISTED = Set.of("/", "/access", "/access/groups", "/nodes", "/pool", "/sdn",
            "/storage", "/vms", "/mapping", "/mapping/pci");

    private static final Comparator<PveVersion> OLDER_FIRST = Comparator.comparingInt(PveVersion::major)
            .thenComparingInt(PveVersion::minor);

    private final World world;
    private final Roles roles;

    /** One entry that gives privileges at a path. */
    private record Grant(String path, Set<String> privileges, boolean propagate) {
    }

    Rights(World world, Roles roles) {
        this.world = world;
        this.roles = roles;
    }

    /** A password's {@code root@pam}; a token of root is not root. */
    static boolean isRoot(Caller caller) {
        return caller instanceof Caller.User && caller.id().equals(ROOT);
    }

    /** Privileges of a caller at a path, those that come down from above included. Call inside a world lock. */
    public Set<String> at(Caller caller, String path) {
        return switch (caller) {
            case Caller.User user -> ofUser(user.id(), path);
            case Caller.Token token -> ofToken(token.id(), path);
        };
    }

    /** @throws PveError 403 naming the first privilege that is missing */
    void need(Caller caller, String path, String... privileges) throws PveError {
        Set<String> has = world.read(w -> at(caller, path));
        for (String privilege : privileges) {
            if (!has.contains(privilege)) {
                throw PveError.forbidden(path + ", " + privilege);
            }
        }
    }

    boolean has(Caller caller, String path, String privilege) {
        return world.read(w -> at(caller, path)).contains(privilege);
    }

    /** Who may change permissions below VMs, storages and pools also has the right of allocating there. */
    boolean mayChangePermissions(Caller caller, String path) {
        Set<String> has = world.read(w -> at(caller, path));
        return has.contains("Permissions.Modify")
                || path.startsWith("/vms/") && has.contains("VM.Allocate")
                || path.startsWith("/storage/") && has.contains("Datastore.Allocate")
                || path.startsWith("/pool/") && has.contains("Pool.Allocate");
    }

    /** At the paths Proxmox lists and those that have entries of the caller's own. */
    Map<String, Set<String>> of(Caller caller) {
        Set<String> paths = new TreeSet<>(LISTED);
        grants(caller.id()).forEach(grant -> paths.add(grant.path));
        Map<String, Set<String>> rights = new TreeMap<>();
        paths.forEach(path -> {
            Set<String> here = at(caller, path);
            if (!here.isEmpty()) {
                rights.put(path, here);
            }
        });
        return rights;
    }

    /** Every role there is, the administrator's own included. Call inside a world lock. */
    Map<String, Set<String>> roles() {
        Map<String, Set<String>> all = new TreeMap<>(roles.own(version()));
        all.putAll(world.roles);
        return all;
    }

    /** Proxmox's own roles cannot be changed. */
    boolean isOwnRole(String role) {
        return roles.own(version()).containsKey(role);
    }

    /** Every privilege there is. Call inside a world lock. */
    Set<String> privileges() {
        return roles.privileges(version());
    }

    /** A cluster in the middle of an upgrade knows what its oldest node knows. */
    private PveVersion version() {
        return versions().min(OLDER_FIRST).orElseThrow(Rights::noProxmox);
    }

    private Stream<PveVersion> versions() {
        return world.hosts.values().stream().filter(host -> host.proxmox).map(PveVersion::of);
    }

    private static IllegalStateException noProxmox() {
        return new IllegalStateException("a world without Proxmox has no rights there");
    }

    private Set<String> ofUser(String id, String path) {
        LabUser user = world.users.get(id);
        if (user == null) {
            return Set.of();
        }
        // Nothing is checked for root: it may do what any node of the cluster knows.
        return id.equals(ROOT) ? versions().flatMap(version -> roles.privileges(version).stream()).collect(Collectors.toSet())
                : down(grants(id), path);
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
        Set<String> both = new TreeSet<>(down(grants(id), path));
        both.retainAll(user);
        return both;
    }

    /** What the scene gave and what the access control list gives. */
    private List<Grant> grants(String who) {
        Map<String, Set<String>> scene = Optional.ofNullable(world.users.get(who)).map(LabUser::rights)
                .or(() -> Optional.ofNullable(world.tokens.get(who)).map(LabToken::rights)).orElse(Map.of());
        List<Grant> grants = new ArrayList<>();
        scene.forEach((path, privileges) -> grants.add(new Grant(path, privileges, true)));
        Map<String, Set<String>> known = world.acl.isEmpty() ? Map.of() : roles();
        world.acl.stream().filter(entry -> entry.who().equals(who)).forEach(entry -> grants.add(grant(entry, known)));
        return grants;
    }

    private static Grant grant(LabAcl entry, Map<String, Set<String>> roles) {
        return new Grant(entry.path(), roles.getOrDefault(entry.role(), Set.of()), entry.propagate());
    }

    /** The entries nearest to the path count; those that propagate come down to everything below them. */
    private static Set<String> down(List<Grant> grants, String path) {
        return Stream.iterate(path, at -> !at.isEmpty(), Rights::above)
                .map(at -> grants.stream().filter(grant -> grant.path.equals(at) && (grant.propagate || at.equals(path)))
                        .toList())
                .filter(here -> !here.isEmpty()).findFirst().map(Rights::together).orElse(Set.of());
    }

    private static Set<String> together(List<Grant> grants) {
        Set<String> all = new TreeSet<>();
        grants.forEach(grant -> all.addAll(grant.privileges));
        // The role that gives nothing takes all others away.
        return grants.stream().anyMatch(grant -> grant.privileges.isEmpty()) ? Set.of() : all;
    }

    private static String above(String path) {
        int slash = path.lastIndexOf('/');
        if (slash > 0) {
            return path.substring(0, slash);
        }
        return path.equals("/") ? "" : "/";
    }
}
