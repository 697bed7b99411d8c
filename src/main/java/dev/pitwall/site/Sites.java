package dev.pitwall.site;

import dev.pitwall.card.TroubleException;

import java.util.List;
import java.util.Optional;

/** The saved sites. */
public interface Sites {

    /** All sites, by name. */
    List<Site> all() throws TroubleException;

    Optional<Site> byName(String name) throws TroubleException;

    /** Adds the site, or replaces the one with its id. */
    void save(Site site) throws TroubleException;

    void remove(String id) throws TroubleException;
}
