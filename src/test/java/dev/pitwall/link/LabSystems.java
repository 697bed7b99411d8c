package dev.pitwall.link;

import dev.pitwall.card.TroubleException;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.Site;
import dev.pitwall.store.SiteFile;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A lab, and the systems of its site. */
public final class LabSystems implements AutoCloseable {

    private final Lab lab;
    private final Site site;
    private final Secrets secrets;

    private LabSystems(Lab lab, SiteFile.Loaded loaded) {
        this.lab = lab;
        this.site = loaded.site();
        this.secrets = loaded.secrets();
    }

    public static LabSystems start(LabOptions options) throws TroubleException {
        Lab lab = Lab.start(options);
        return new LabSystems(lab, new SiteFile(lab.siteFile()).read());
    }

    public Lab lab() {
        return lab;
    }

    /** As the lab describes itself: signed in with tokens. */
    public Site site() {
        return site;
    }

    public Secrets secrets() {
        return secrets;
    }

    /** Of a form of the site; whoever opens them closes them. */
    public SiteSystems open(Site form) {
        TimeLimits limits = new TimeLimits(TestLimits.PATIENT, TestLimits.PATIENT, TestLimits.PATIENT, TestLimits.PATIENT);
        NetworkTrouble troubles = new NetworkTrouble(new Words());
        HostLinks links = new HostLinks(secrets, SecondFactor.NONE, InstantSource.system(), limits, troubles,
                new KnownHosts(List.of()), Optional.empty());
        return new SiteSystems(form, links, troubles, InstantSource.system());
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
                site.servers(), site.sources(), site.talos(), site.lab());
    }

    @Override
    public void close() {
        lab.close();
    }
}
