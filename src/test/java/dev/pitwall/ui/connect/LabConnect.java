package dev.pitwall.ui.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.link.HostLinks;
import dev.pitwall.link.HostReach;
import dev.pitwall.link.SystemLinks;
import dev.pitwall.link.SystemReach;
import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.kube.ClusterReach;
import dev.pitwall.link.kube.KubeconfigFiles;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.KubeconfigCatalog;
import dev.pitwall.site.LiveSites;
import dev.pitwall.site.Reachability;
import dev.pitwall.site.ReadIntervals;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.Sessions;
import dev.pitwall.site.Site;
import dev.pitwall.site.Sites;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The practice lab, and everything the dialog needs to connect to it over its sockets. */
final class LabConnect implements AutoCloseable, Secrets, Sites {

    final Lab lab;
    final JsonNode site;
    final TypedSecrets typed = new TypedSecrets(this);
    final Map<SecretRef, String> kept = new ConcurrentHashMap<>();
    final List<Site> saved = new ArrayList<>();
    Optional<Trouble> failing = Optional.empty();
    private final NetworkTrouble troubles = new NetworkTrouble(new Words());
    private final Path home;

    LabConnect(Path folder) throws Exception {
        this.home = folder.resolve("home");
        this.lab = Lab.start(LabOptions.garage(folder.resolve("lab")).withLoginPenalty(Duration.ZERO));
        this.site = new ObjectMapper().readTree(lab.siteFile().toFile());
    }

    Reachability reach() {
        return new SystemReach(new HostReach(typed, InstantSource.system(), limits(), troubles,
                new KnownHosts(List.of()), Optional.empty()),
                new ClusterReach(limits(), troubles, InstantSource.system()));
    }

    KubeconfigCatalog kubeconfigs() {
        return new KubeconfigFiles(home, home, Map.of("KUBECONFIG", lab.kubeconfig().toString()));
    }

    LiveSites liveSites() {
        HostLinks hosts = new HostLinks(this, SecondFactor.NONE, InstantSource.system(), limits(), troubles,
                new KnownHosts(List.of()), Optional.empty());
        return new Sessions(new SystemLinks(hosts, limits(), troubles, InstantSource.system()),
                () -> ReadIntervals.every(1), InstantSource.system());
    }

    private static TimeLimits limits() {
        return new TimeLimits(TestLimits.PATIENT, TestLimits.PATIENT, TestLimits.PATIENT, TestLimits.PATIENT);
    }

    JsonNode pve1() {
        return site.path("proxmox").get(0);
    }

    /** An SSH machine as {@code site.json} has it. */
    JsonNode shell(String name) {
        return site.path("ssh").valueStream().filter(e -> e.path("name").asText().equals(name)).findFirst()
                .orElseThrow();
    }

    /** As {@code pvenode cert info} prints it. */
    String console() {
        return "┌─────────────┬──────────────────────────┐\n│ filename    │ pve-ssl.pem │\n│ fingerprint │ "
                + pve1().path("fingerprint").asText() + " │\n└─────────────┴───────┘\n";
    }

    @Override
    public Optional<String> get(SecretRef ref) {
        return Optional.ofNullable(kept.get(ref));
    }

    @Override
    public void put(SecretRef ref, String secret) throws TroubleException {
        if (failing.isPresent()) {
            throw new TroubleException(failing.get());
        }
        kept.put(ref, secret);
    }

    @Override
    public void remove(SecretRef ref) {
        kept.remove(ref);
    }

    @Override
    public String place() {
        return "OS keyring";
    }

    @Override
    public synchronized List<Site> all() {
        return List.copyOf(saved);
    }

    @Override
    public Optional<Site> byName(String name) {
        return all().stream().filter(s -> s.name().equals(name)).findFirst();
    }

    @Override
    public synchronized void save(Site wanted) {
        saved.removeIf(s -> s.id().equals(wanted.id()));
        saved.add(wanted);
    }

    @Override
    public synchronized void remove(String id) {
        saved.removeIf(s -> s.id().equals(id));
    }

    @Override
    public void close() {
        lab.close();
    }
}
