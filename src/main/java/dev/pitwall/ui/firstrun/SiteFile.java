package dev.pitwall.ui.firstrun;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Site;
import java.nio.file.Path;

/** Reads a site from a file, for example the {@code site.json} that {@code pitwall lab} writes. */
@FunctionalInterface
public interface SiteFile {

    /** @throws TroubleException with file and line if it is not a site */
    Site read(Path file) throws TroubleException;
}
