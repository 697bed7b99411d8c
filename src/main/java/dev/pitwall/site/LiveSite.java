package dev.pitwall.site;

/** A site that is connected. Closing it leaves no thread, socket or watch behind. */
public interface LiveSite extends AutoCloseable {

    Site site();

    /** The latest view; cheap, never blocks. */
    SiteView view();

    /** Asks every source again now, those that wait for their next try included. */
    void readAgain();

    /** Asks one source again now. */
    void readAgain(Connection.Kind kind, String name);

    @Override
    void close();
}
