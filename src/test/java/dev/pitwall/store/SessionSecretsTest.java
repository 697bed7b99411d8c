package dev.pitwall.store;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Site;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SessionSecretsTest {

    @Test
    void aSiteThatBringsItsSecretsUsesThoseAndNoOtherSiteDoes() throws TroubleException {
        MemorySecrets kept = new MemorySecrets("kept");
        MemorySecrets brought = new MemorySecrets("brought");
        SessionSecrets secrets = new SessionSecrets(kept);
        Site site = new Site("1", "a", List.of(), List.of(), Optional.empty(), Optional.empty(), List.of(), false);
        secrets.add(site, brought);

        secrets.put(new SecretRef("1/proxmox/pve1"), "in memory");
        secrets.put(new SecretRef("2/proxmox/pve1"), "kept");

        assertThat(brought.get(new SecretRef("1/proxmox/pve1"))).contains("in memory");
        assertThat(kept.get(new SecretRef("1/proxmox/pve1"))).isEmpty();
        assertThat(secrets.get(new SecretRef("2/proxmox/pve1"))).contains("kept");
        // A file cannot read what another site has in the keyring.
        kept.put(new SecretRef("1/x"), "of a saved site");
        assertThat(secrets.get(new SecretRef("1/x"))).isEmpty();
        secrets.forget(site);
        assertThat(secrets.get(new SecretRef("1/x"))).contains("of a saved site");
        assertThat(secrets.place()).isEqualTo("kept");
    }

    @Test
    void aSiteFromAFileThatIsSavedTakesItsSecretsAlong() throws TroubleException {
        MemorySecrets kept = new MemorySecrets("kept");
        MemorySecrets brought = new MemorySecrets("brought");
        SessionSecrets secrets = new SessionSecrets(kept);
        SecretRef fromFile = new SecretRef("1/proxmox/pve1");
        SecretRef typed = new SecretRef("1/proxmox/pve2");
        Site site = new Site("1", "a", List.of(host("pve1", fromFile), host("pve2", typed)), List.of(), Optional.empty(),
                Optional.empty(), List.of(), false);
        secrets.add(site, brought);
        brought.put(fromFile, "from the file");
        brought.put(new SecretRef("1/unused"), "not named any more");
        secrets.put(typed, "typed");

        Trouble taken = new Trouble(Trouble.Kind.REMOTE, "saved sites", "the name is taken", "Choose another.");
        assertThatThrownBy(() -> secrets.keeping(site, _ -> {
            throw new TroubleException(taken);
        })).isInstanceOf(TroubleException.class);
        assertThat(kept.get(typed)).isEmpty();
        assertThat(secrets.get(typed)).contains("typed");

        secrets.keeping(site, _ -> { });
        assertThat(kept.get(fromFile)).contains("from the file");
        assertThat(kept.get(typed)).contains("typed");
        assertThat(kept.get(new SecretRef("1/unused"))).isEmpty();
        secrets.put(typed, "typed again");
        assertThat(kept.get(typed)).contains("typed again");
    }

    private static ProxmoxAccess host(String name, SecretRef secret) {
        return new ProxmoxAccess(name, URI.create("https://" + name + ":8006"),
                new ProxmoxAccess.Token("root@pam!pitwall", secret), Optional.empty());
    }
}
