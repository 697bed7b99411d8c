package dev.pitwall.settings;

import dev.pitwall.card.TroubleException;

/** The settings as they are kept between starts. */
public interface KeptSettings {

    /** What was kept; the default for whatever was not, or is not understood by this version. */
    Settings load() throws TroubleException;

    void keep(Settings settings) throws TroubleException;
}
