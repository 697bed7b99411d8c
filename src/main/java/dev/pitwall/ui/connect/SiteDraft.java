package dev.pitwall.ui.connect;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.MetricsAccess;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ServerAccess;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.Site;
import dev.pitwall.site.TalosAccess;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be saved: the site, and the secrets that were typed for it. Connections that are not settled are left out.
 */
record SiteDraft(Site site, Map<SecretRef, String> secrets) {
    private static final Logger LOG = LoggerFactory.getLogger(SiteDraft.class);

    /**
     * @param sources where the saved site fetches from, which this form does not show
     * @param talos   how the saved site reaches Talos, which it does not show either
     */
    static SiteDraft of(String id, String name, Entries entries, Map<String, URI> sources,
                        Optional<TalosAccess> talos) {
        Map<SecretRef, String> secrets = new LinkedHashMap<>();
        Set<String> names = new HashSet<>();
        List<ProxmoxAccess> proxmox = new ArrayList<>();
        for (ProxmoxEntry entry : settled(entries.proxmox())) {
            proxmox.add(entry.access(unique(entry.title(), names)));
            collect(entry.secret(), secrets);
        }
        List<ShellAccess> shells = new ArrayList<>();
        for (ShellEntry entry : settled(entries.shells())) {
            shells.add(entry.access());
            if (entry.login().method() != ShellLogin.Method.AGENT) {
                collect(entry.login().secret(), secrets);
            }
        }
        List<ServerAccess> servers = settled(entries.servers()).stream().map(ServerEntry::access).toList();
        Optional<MetricsAccess> metrics = entries.metrics().standing().settled()
                ? Optional.of(entries.metrics().access()) : Optional.empty();
        Site site = new Site(id, name, proxmox, shells, entries.cluster().standing().settled()
                ? Optional.of(entries.cluster().access()) : Optional.empty(), metrics, servers, sources,
                talos, false);
        return new SiteDraft(site, Map.copyOf(secrets));
    }

    private static <E extends Entry> List<E> settled(List<E> entries) {
        return entries.stream().filter(e -> e.standing().settled()).toList();
    }

    private static void collect(SecretField field, Map<SecretRef, String> into) {
        field.ref().ifPresent(ref -> field.toStore().ifPresent(secret -> into.put(ref, secret)));
    }

    /** Two hosts of one name are told apart, since a site's sources are known by their names. */
    private static String unique(String wanted, Set<String> taken) {
        String name = wanted;
        for (int i = 2; !taken.add(name); i++) {
            name = wanted + "-" + i;
        }
        return name;
    }

    /** Stores secrets and site; blocks. Secrets of a site that cannot be saved are taken back. */
    void save(Tools tools) throws TroubleException {
        List<SecretRef> stored = new ArrayList<>();
        try {
            for (Map.Entry<SecretRef, String> secret : secrets.entrySet()) {
                tools.secrets().put(secret.getKey(), secret.getValue());
                stored.add(secret.getKey());
            }
            tools.sites().save(site);
        } catch (TroubleException e) {
            takeBack(stored, tools);
            throw e;
        } catch (RuntimeException e) {
            LOG.error("saving {} failed in an unforeseen way", site.name(), e);
            takeBack(stored, tools);
            throw new TroubleException(new Trouble(Trouble.Kind.REMOTE, site.name(), "it could not be saved",
                    "Look into Pitwall's log for the details and report them."), e);
        }
    }

    private static void takeBack(List<SecretRef> stored, Tools tools) {
        for (SecretRef ref : stored) {
            try {
                tools.secrets().remove(ref);
            } catch (TroubleException e) {
                LOG.warn("The secret {} stays where it is: {}", ref.key(), e.trouble().sentence());
            }
        }
    }

    /** Never says a secret. */
    @Override
    public String toString() {
        return "draft of " + site.name() + " with " + secrets.size() + " secrets";
    }
}
