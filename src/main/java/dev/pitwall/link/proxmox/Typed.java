package dev.pitwall.link.proxmox;

import dev.pitwall.card.TroubleException;

/** A password or a token's secret, fetched only at the moment it is sent. */
@FunctionalInterface
interface Typed {
    String secret() throws TroubleException;
}
