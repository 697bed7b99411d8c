package dev.pitwall.ui.connect;

import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.Reachability.Peer;
import dev.pitwall.site.ServerAccess;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.Site;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Every connection of the site that is being put together. */
final class Entries {
    private final Tools tools;
    private final Runnable changed;
    private final List<ProxmoxEntry> proxmox = new ArrayList<>();
    private final List<ShellEntry> shells = new ArrayList<>();
    private final List<ServerEntry> servers = new ArrayList<>();
    private final ShellLogin shellLogin;
    private final ClusterEntry cluster;
    private final MetricsEntry metrics;
    /** True if the login of all, or the list of connections, is another than at the start. */
    private boolean rearranged;

    /** @param saved empty for a new site */
    Entries(Tools tools, Optional<Site> saved, Runnable changed) {
        this.tools = tools;
        this.changed = changed;
        this.shellLogin = new ShellLogin(tools, Optional.empty(), this::sharedLoginTouched);
        this.cluster = new ClusterEntry(tools, saved.flatMap(Site::cluster), changed);
        this.metrics = new MetricsEntry(tools, this::clusterAccess, saved.flatMap(Site::metrics), changed);
        saved.ifPresent(this::fill);
        if (proxmox.isEmpty()) {
            addProxmox();
        }
    }

    private void fill(Site site) {
        for (ProxmoxAccess access : site.proxmox()) {
            proxmox.add(new ProxmoxEntry(tools, Optional.of(access), changed));
        }
        site.shells().stream().flatMap(s -> Stream.concat(s.jump().stream(), Stream.of(s)))
                .filter(s -> shell(s.name()).isEmpty()).forEach(s -> shells.add(shell(Optional.of(s))));
        for (ServerAccess access : site.servers()) {
            servers.add(new ServerEntry(tools, this::clusterAccess, Optional.of(access), changed));
        }
    }

    private ShellEntry shell(Optional<ShellAccess> saved) {
        return new ShellEntry(tools, shellLogin, this::shell, saved, changed);
    }

    private Optional<ShellEntry> shell(String name) {
        return shells.stream().filter(s -> s.title().equals(name)).findFirst();
    }

    private Optional<ClusterAccess> clusterAccess() {
        return cluster.missing().isEmpty() ? Optional.of(cluster.access()) : Optional.empty();
    }

    private void sharedLoginTouched() {
        rearranged = true;
        shells.stream().filter(s -> !s.ownLoginProperty().get()).forEach(Entry::touched);
        changed.run();
    }

    List<ProxmoxEntry> proxmox() {
        return List.copyOf(proxmox);
    }

    List<ShellEntry> shells() {
        return List.copyOf(shells);
    }

    List<ServerEntry> servers() {
        return List.copyOf(servers);
    }

    ShellLogin shellLogin() {
        return shellLogin;
    }

    ClusterEntry cluster() {
        return cluster;
    }

    MetricsEntry metrics() {
        return metrics;
    }

    List<? extends Entry> of(SystemKind kind) {
        return switch (kind) {
            case PROXMOX -> proxmox();
            case SSH -> shells();
            case CLUSTER -> List.of(cluster);
            case PROMETHEUS -> List.of(metrics);
            case MODELS -> servers();
        };
    }

    List<Entry> all() {
        return Stream.of(SystemKind.values()).map(this::of).<Entry>flatMap(Collection::stream).toList();
    }

    ProxmoxEntry addProxmox() {
        ProxmoxEntry entry = new ProxmoxEntry(tools, Optional.empty(), changed);
        proxmox.add(entry);
        changed.run();
        return entry;
    }

    ShellEntry addShell() {
        ShellEntry entry = shell(Optional.empty());
        shells.add(entry);
        changed.run();
        return entry;
    }

    ServerEntry addServer() {
        ServerEntry entry = new ServerEntry(tools, this::clusterAccess, Optional.empty(), changed);
        servers.add(entry);
        changed.run();
        return entry;
    }

    void remove(Entry entry) {
        entry.trial().cancel();
        rearranged = rearranged || entry.filled();
        boolean was = proxmox.remove(entry) | shells.remove(entry) | servers.remove(entry);
        if (was && proxmox.isEmpty()) {
            addProxmox();
        }
        changed.run();
    }

    /** Proxmox hosts that have no shell yet: those of the form, and the nodes of their clusters. */
    List<Peer> shellsToOffer() {
        List<Peer> offers = new ArrayList<>();
        for (ProxmoxEntry entry : proxmox) {
            Optional<String> host = entry.url().map(URI::getHost);
            if (entry.peers().isEmpty()) {
                host.filter(_ -> entry.standing().settled())
                        .ifPresent(h -> offers.add(new Peer(entry.title(), Optional.of(h))));
            } else {
                // The asked host is reached as the person has typed it, whatever it calls itself inside.
                offers.add(new Peer(entry.peers().getFirst().name(), host));
                offers.addAll(entry.peers().subList(1, entry.peers().size()));
            }
        }
        return offers.stream().filter(o -> shell(o.name()).isEmpty()).distinct().toList();
    }

    /** Adds a shell with the login of all for each of them. */
    void addOfferedShells() {
        for (Peer peer : shellsToOffer()) {
            ShellEntry entry = shell(Optional.empty());
            entry.nameProperty().set(peer.name());
            entry.hostProperty().set(peer.address().orElse(peer.name()));
            shells.add(entry);
        }
        changed.run();
    }

    /** True if something was typed, added or removed. */
    boolean edited() {
        return rearranged || all().stream().anyMatch(Entry::edited);
    }

    void close() {
        all().forEach(e -> e.trial().cancel());
    }
}
