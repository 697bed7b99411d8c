package dev.pitwall.store.secret;

import java.util.Optional;

/** Gives the passphrase that protects the file of secrets. */
@FunctionalInterface
public interface Passphrase {

    /** The variable {@code PITWALL_PASSPHRASE}, for machines without a keyring and without a person. */
    Passphrase FROM_ENVIRONMENT = () -> Optional.ofNullable(System.getenv("PITWALL_PASSPHRASE")).filter(p -> !p.isEmpty());

    Optional<String> get();
}
