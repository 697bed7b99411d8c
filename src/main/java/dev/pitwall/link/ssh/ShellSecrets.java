package dev.pitwall.link.ssh;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ShellAccess;

import java.util.Optional;

/** The password or passphrase of a login, fetched only when it is needed. */
@FunctionalInterface
interface ShellSecrets {

    Optional<String> of(ShellAccess access) throws TroubleException;

    /** Those that are stored. */
    static ShellSecrets stored(Secrets secrets) {
        return access -> {
            Optional<SecretRef> ref = switch (access.login()) {
                case ShellAccess.KeyFile key -> key.passphrase();
                case ShellAccess.Password password -> Optional.of(password.secret());
                case ShellAccess.Agent agent -> Optional.empty();
            };
            return ref.isPresent() ? secrets.get(ref.get()) : Optional.empty();
        };
    }

    /** The one just typed for a machine; its jump hosts keep their stored ones. */
    static ShellSecrets typed(ShellAccess machine, Optional<String> secret, Secrets secrets) {
        ShellSecrets stored = stored(secrets);
        return access -> access.equals(machine) && secret.isPresent() ? secret : stored.of(access);
    }
}
