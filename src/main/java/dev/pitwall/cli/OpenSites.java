package dev.pitwall.cli;

import dev.pitwall.card.TroubleException;

/** Opens the site a command line names. */
@FunctionalInterface
public interface OpenSites {

    /**
     * @param nameOrFile a saved site's name or a site file; null starts the practice lab
     * @throws TroubleException if there is no such site, or its file cannot be read
     */
    OpenSite open(String nameOrFile) throws TroubleException;
}
