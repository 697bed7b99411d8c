package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.Site;

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
