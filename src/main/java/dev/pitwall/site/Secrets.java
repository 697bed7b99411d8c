package dev.pitwall.site;

import dev.pitwall.card.TroubleException;

import java.util.Optional;

/** Where secrets live: the operating system's keyring, or an encrypted file where there is none. */
public interface Secrets {

    /** @return empty if nothing is stored under this name */
    Optional<String> get(SecretRef ref) throws TroubleException;

    void put(SecretRef ref, String secret) throws TroubleException;

    void remove(SecretRef ref) throws TroubleException;

    /** One line for the person, for example {@code GNOME keyring} or {@code encrypted file ~/.local/share/…}. */
    String place();
}
