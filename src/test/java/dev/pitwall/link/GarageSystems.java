package dev.pitwall.link;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Systems;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.Site;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** The garage, a hundred times as fast, and the systems of its site: one lab for a class of tests. */
public final class GarageSystems implements BeforeAllCallback, AfterAllCallback {
    private Path dir;
    private LabSystems garage;
    private SiteSystems systems;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        dir = Files.createTempDirectory("garage-systems");
        garage = LabSystems.start(LabOptions.garage(dir).withLoginPenalty(Duration.ZERO).withSpeed(100));
        systems = open(site());
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        systems.close();
        garage.close();
        // Its test class keeps this for the rest of the process.
        systems = null;
        garage = null;
        try (var paths = Files.walk(dir)) {
            paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }

    public Lab lab() {
        return garage.lab();
    }

    public Site site() {
        return garage.site();
    }

    /** Of the site as it is, with tokens. */
    public Systems systems() {
        return systems;
    }

    /** Of another form of the site; whoever opens them closes them. */
    public SiteSystems open(Site other) {
        return garage.open(other);
    }

    /** The site signed in to its APIs as root@pam with the password. */
    public Site asRoot() throws TroubleException {
        return garage.asRoot();
    }

    /** The site with other accesses to Proxmox. */
    public Site with(List<ProxmoxAccess> accesses) {
        return garage.with(accesses);
    }

    public Secrets secrets() {
        return garage.secrets();
    }
}
