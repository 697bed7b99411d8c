package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Site;
import dev.pitwall.site.Sites;
import dev.pitwall.store.SessionSecrets;

import java.util.List;
import java.util.Optional;

/** The saved sites; one that came from a file and is saved takes its secrets along. */
record KeptSites(Sites saved, SessionSecrets secrets) implements Sites {

    @Override
    public List<Site> all() throws TroubleException {
        return saved.all();
    }

    @Override
    public Optional<Site> byName(String name) throws TroubleException {
        return saved.byName(name);
    }

    @Override
    public void save(Site site) throws TroubleException {
        secrets.keeping(site, saved::save);
    }

    @Override
    public void remove(String id) throws TroubleException {
        saved.remove(id);
    }
}
