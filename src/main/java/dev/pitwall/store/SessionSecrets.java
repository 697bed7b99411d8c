package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.Site;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All the secrets of a running Pitwall: those of saved sites, where they are kept, and those that came with a site from
 * a file or the practice lab, in memory. The names of a site's secrets begin with its id.
 */
public final class SessionSecrets implements Secrets {
    private final Map<String, Secrets> bySite = new ConcurrentHashMap<>();
    private final Secrets kept;

    /** @param kept for every site that did not bring its own */
    public SessionSecrets(Secrets kept) {
        this.kept = kept;
    }

    /** From now on this site's secrets are these. */
    public void add(Site site, Secrets secrets) {
        bySite.put(site.id(), secrets);
    }

    /** From now on this site's secrets are the kept ones. */
    public void forget(Site site) {
        bySite.remove(site.id());
    }

    /** What saves a site. */
    @FunctionalInterface
    public interface Saving {
        void save(Site site) throws TroubleException;
    }

    /**
     * Saves a site together with the secrets that it brought and still names: from then on they are kept like those of any
     * other saved site. If the saving fails, nothing of them stays in the kept ones.
     */
    public void keeping(Site site, Saving saving) throws TroubleException {
        Optional<Secrets> brought = Optional.ofNullable(bySite.get(site.id()));
        if (brought.isEmpty()) {
            saving.save(site);
            return;
        }
        List<SecretRef> copied = new ArrayList<>();
        try {
            for (SecretRef ref : SqliteSites.secretsOf(site)) {
                Optional<String> secret = brought.get().get(ref);
                if (secret.isPresent()) {
                    kept.put(ref, secret.get());
                    copied.add(ref);
                }
            }
            saving.save(site);
        } catch (TroubleException e) {
            for (SecretRef ref : copied) {
                kept.remove(ref);
            }
            throw e;
        }
        forget(site);
    }

    private Secrets of(SecretRef ref) {
        int end = ref.key().indexOf('/');
        return bySite.getOrDefault(end < 0 ? "" : ref.key().substring(0, end), kept);
    }

    @Override
    public Optional<String> get(SecretRef ref) throws TroubleException {
        return of(ref).get(ref);
    }

    @Override
    public void put(SecretRef ref, String secret) throws TroubleException {
        of(ref).put(ref, secret);
    }

    @Override
    public void remove(SecretRef ref) throws TroubleException {
        of(ref).remove(ref);
    }

    /** Where a newly entered secret goes. */
    @Override
    public String place() {
        return kept.place();
    }
}
