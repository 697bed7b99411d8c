package dev.pitwall.cli.journey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Export;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.Step;
import dev.pitwall.site.Site;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What the commands of the wizard work with. */
public interface Journeys {

    /** All steps, in the order in which they are walked. */
    List<Step> steps();

    /**
     * Connects at the first look.
     *
     * @param nodes the cluster's nodes by SMBIOS UUID, as {@link dev.pitwall.site.LiveSite#nodes} has them; empty where
     *              nobody watches the cluster
     */
    Journey open(Site site, Supplier<Map<String, String>> nodes) throws TroubleException;

    Journal journal() throws TroubleException;

    /** The forms that a plan can be written in, each kind once. */
    List<Export> exports();

    /**
     * The site that a command line names, not opened.
     *
     * @param nameOrFile empty text for the practice lab
     */
    Site site(String nameOrFile) throws TroubleException;
}
