package dev.pitwall.ui.connect;

import dev.pitwall.site.Hop;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One line about each system, for the list at the left. */
final class Summaries {
    private final Texts texts;

    Summaries(Texts texts) {
        this.texts = texts;
    }

    String of(SystemKind kind, Entries entries) {
        List<? extends Entry> filled = entries.of(kind).stream().filter(Entry::filled).toList();
        if (filled.isEmpty()) {
            return empty(kind, entries);
        }
        if (filled.stream().anyMatch(e -> e.standing() == Standing.TESTING)) {
            return texts.get("connect.summary.testing");
        }
        List<String> open = open(filled);
        if (filled.stream().allMatch(e -> e.standing().settled())) {
            open.addFirst(settled(kind, entries, filled.size()));
        }
        return String.join(", ", open);
    }

    private String empty(SystemKind kind, Entries entries) {
        return switch (kind) {
            case PROXMOX -> texts.get("connect.summary.proxmox.empty");
            case SSH -> entries.shellsToOffer().isEmpty() ? texts.get("connect.summary.ssh.empty")
                    : texts.count("connect.summary.ssh.offer", entries.shellsToOffer().size());
            case CLUSTER -> texts.get("connect.summary.cluster.empty");
            case PROMETHEUS -> texts.get("connect.summary.prometheus.empty");
            case MODELS -> texts.get("connect.summary.models.empty");
        };
    }

    /** What the person should look at: to confirm, refused, untested. */
    private List<String> open(List<? extends Entry> filled) {
        List<String> parts = new ArrayList<>();
        int asks = (int) filled.stream().filter(Entry::asks).count();
        List<Hop> refused = filled.stream().filter(e -> !e.asks() && e.standing() != Standing.UNTESTED)
                .flatMap(e -> e.trial().refused().stream()).toList();
        int untested = (int) filled.stream().filter(e -> e.standing() == Standing.UNTESTED).count();
        if (asks > 0) {
            parts.add(texts.get("connect.summary.confirm", asks));
        }
        if (!refused.isEmpty()) {
            boolean only = filled.size() == 1 && refused.size() == 1 && filled.getFirst().standing() == Standing.REFUSED;
            parts.add(only ? refused.getFirst().text() : texts.get("connect.summary.refused", refused.size()));
        }
        if (untested > 0) {
            parts.add(texts.get("connect.summary.untested", untested));
        }
        return parts;
    }

    private String settled(SystemKind kind, Entries entries, int count) {
        return switch (kind) {
            case PROXMOX -> texts.count("connect.summary.hosts", Math.max(count, entries.proxmox().stream()
                    .mapToInt(e -> e.peers().size()).sum()));
            case SSH -> texts.count("connect.summary.keys", count).replace("{1}", user(entries.shells()));
            case CLUSTER -> texts.get("connect.summary.cluster", origin(entries.cluster()), entries.cluster().title());
            case PROMETHEUS -> entries.metrics().addressProperty().get();
            case MODELS -> texts.count("connect.summary.servers", count);
        };
    }

    private String user(List<ShellEntry> shells) {
        List<String> users = shells.stream().map(s -> s.login().userProperty().get()).distinct().toList();
        return users.size() == 1 ? users.getFirst() : texts.get("connect.summary.logins", users.size());
    }

    private static String origin(ClusterEntry cluster) {
        return cluster.found().stream().filter(cluster::isChosen).map(f -> f.origin()).findFirst()
                .or(() -> Optional.of(cluster.paths().getFirst().getFileName().toString())).orElseThrow();
    }
}
