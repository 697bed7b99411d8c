package dev.pitwall.link;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Systems;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.Site;
import dev.pitwall.store.SiteFile;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The garage, a hundred times as fast, and the systems of its site: one lab for a class of tests. */
public final class GarageSystems implements BeforeAllCallback, AfterAllCallback {
    private static final Limits LIMITS = new Limits(Duration.ofMillis(1500), Duration.ofSeconds(20));

    private Path dir;
    private Lab lab;
    private Site site;
    private Secrets secrets;
    private SiteSystems systems;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        dir = Files.createTempDirectory("garage-systems");
        lab = Lab.start(LabOptions.garage(dir).withLoginPenalty(Duration.ZERO).withSpeed(100));
        SiteFile.Loaded loaded = new SiteFile(lab.siteFile()).read();
        site = loaded.site();
        secrets = loaded.secrets();
        systems = open(site);
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        systems.close();
        lab.close();
        try (var paths = Files.walk(dir)) {
            paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }

    public Lab lab() {
        return lab;
    }

    public Site site() {
        return site;
    }

    /** Of the site as it is, with tokens. */
    public Systems systems() {
        return systems;
    }

    /** Of another form of the site; whoever opens them closes them. */
    public SiteSystems open(Site other) {
        TimeLimits limits = new TimeLimits(LIMITS, LIMITS, LIMITS, LIMITS);
        NetworkTrouble troubles = new NetworkTrouble(new Words());
        HostLinks links = new HostLinks(secrets, SecondFactor.NONE, InstantSource.system(), limits, troubles,
                new KnownHosts(List.of()), Optional.empty());
        return new SiteSystems(other, links, troubles.words());
    }

    /** The site signed in to its APIs as root@pam with the password. */
    public Site asRoot() throws TroubleException {
        SecretRef ref = new SecretRef(site.id() + "/root password");
        secrets.put(ref, lab.world().<String>read(w -> w.users.get("root@pam").password()));
        return with(site.proxmox().stream().map(a -> new ProxmoxAccess(a.name(), a.url(),
                new ProxmoxAccess.Password("root@pam", ref), a.fingerprint())).toList());
    }

    /** The site with other accesses to Proxmox. */
    public Site with(List<ProxmoxAccess> accesses) {
        return new Site(site.id(), site.name(), accesses, site.shells(), site.cluster(), site.metrics(),
                site.servers(), site.lab());
    }

    public Secrets secrets() {
        return secrets;
    }
}
