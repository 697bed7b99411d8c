package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The keyring, with the secrets of opened site files and labs before it. Those are in memory only and end with the
 * process; nothing of theirs is written.
 */
final class SecretLayers implements Secrets {
    private final List<Secrets> inMemory = new CopyOnWriteArrayList<>();
    private final Secrets kept;

    SecretLayers(Secrets kept) {
        this.kept = kept;
    }

    void add(Secrets secrets) {
        inMemory.add(secrets);
    }

    @Override
    public Optional<String> get(SecretRef ref) throws TroubleException {
        for (Secrets secrets : inMemory.reversed()) {
            Optional<String> found = secrets.get(ref);
            if (found.isPresent()) {
                return found;
            }
        }
        return kept.get(ref);
    }

    @Override
    public void put(SecretRef ref, String secret) throws TroubleException {
        kept.put(ref, secret);
    }

    @Override
    public void remove(SecretRef ref) throws TroubleException {
        kept.remove(ref);
    }

    @Override
    public String place() {
        return kept.place();
    }
}
