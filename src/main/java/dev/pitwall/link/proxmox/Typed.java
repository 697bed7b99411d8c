package dev.pitwall.link.proxmox;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;

/** A password or a token's secret, fetched only at the moment it is sent. */
@FunctionalInterface
interface Typed {
    String secret() throws TroubleException;

    /** The one that is stored for an access. */
    static Typed stored(ProxmoxAccess access, Secrets secrets, NetworkTrouble troubles) {
        return switch (access.login()) {
            case ProxmoxAccess.Token(String id, SecretRef ref) -> stored(access, id, ref, secrets, troubles);
            case ProxmoxAccess.Password(String user, SecretRef ref) -> stored(access, user, ref, secrets, troubles);
        };
    }

    private static Typed stored(ProxmoxAccess access, String user, SecretRef ref, Secrets secrets,
                                NetworkTrouble troubles) {
        Place place = Place.of(Service.PROXMOX, access.name(), access.url());
        return () -> secrets.get(ref).orElseThrow(() -> troubles.words()
                .failure(Kind.CREDENTIALS, place, "proxmox.nosecret", "user", user));
    }
}
