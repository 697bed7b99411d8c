package dev.pitwall.store;

import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Secrets that live as long as the process: those of a site file, of the practice lab, of tests. */
public final class MemorySecrets implements Secrets {
    private final Map<SecretRef, String> secrets = new ConcurrentHashMap<>();
    private final String place;

    /** @param place for example {@code in memory, from site.json} */
    public MemorySecrets(String place) {
        this.place = place;
    }

    @Override
    public Optional<String> get(SecretRef ref) {
        return Optional.ofNullable(secrets.get(ref));
    }

    @Override
    public void put(SecretRef ref, String secret) {
        secrets.put(ref, secret);
    }

    @Override
    public void remove(SecretRef ref) {
        secrets.remove(ref);
    }

    @Override
    public String place() {
        return place;
    }
}
