package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Site;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

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
}
