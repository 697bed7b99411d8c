package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.Site;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class SiteRoundTripProperties {
    private static final Path FOLDER = Path.of("target", "test-home", "sites").toAbsolutePath();

    @Provide
    Arbitrary<Site> sites() {
        return SiteSamples.sites(FOLDER);
    }

    @Property(tries = 200)
    void aSavedSiteComesBackAsItWas(@ForAll("sites") Site site) throws TroubleException {
        String document = new SiteWriter(SiteForm.KEPT, Path.of("")).write(site);
        Site back = new SiteReader(SiteForm.KEPT, "", Path.of(""), new MemorySecrets("")).read(Json.parse("kept", document.getBytes(StandardCharsets.UTF_8)));
        assertThat(back).isEqualTo(site);
    }

    @Property(tries = 200)
    void aSiteFileComesBackAsItWasExceptForItsSecrets(@ForAll("sites") Site site) throws TroubleException, IOException {
        Files.createDirectories(FOLDER);
        SiteFile file = new SiteFile(FOLDER.resolve("site.json"));
        file.write(site);
        assertThat(withoutNames(file.read().site())).isEqualTo(withoutNames(site));
    }

    /** The site without what a file does not hold: its id, and how its secrets are called. */
    private static Site withoutNames(Site site) {
        return new Site("", site.name(), site.proxmox().stream().map(SiteRoundTripProperties::withoutNames).toList(),
                site.shells().stream().map(SiteRoundTripProperties::withoutNames).toList(), site.cluster(), site.metrics(),
                site.servers(), site.sources(), site.talos(), site.lab());
    }

    private static ProxmoxAccess withoutNames(ProxmoxAccess access) {
        SecretRef none = new SecretRef("");
        return new ProxmoxAccess(access.name(), access.url(), switch (access.login()) {
            case ProxmoxAccess.Token(String id, SecretRef _) -> new ProxmoxAccess.Token(id, none);
            case ProxmoxAccess.Password(String user, SecretRef _) -> new ProxmoxAccess.Password(user, none);
        }, access.fingerprint());
    }

    private static ShellAccess withoutNames(ShellAccess access) {
        SecretRef none = new SecretRef("");
        return new ShellAccess(access.name(), access.role(), access.host(), access.port(), access.user(),
                switch (access.login()) {
                    case ShellAccess.KeyFile(Path file, Optional<SecretRef> phrase) -> new ShellAccess.KeyFile(file, phrase.map(_ -> none));
                    case ShellAccess.Agent agent -> agent;
                    case ShellAccess.Password _ -> new ShellAccess.Password(none);
                }, access.hostKey(), access.jump().map(SiteRoundTripProperties::withoutNames));
    }
}
