package dev.pitwall.journey.survey;

import java.util.List;
import java.util.Map;

/** What has to be asked of a node's package manager: only steps know which packages they may want. */
public interface NodeWishes {

    /**
     * Names of packages of which it matters whether they are installed, and what the sources offer; of those that are
     * installed also patterns with a star.
     *
     * @param release the values of {@code /etc/os-release}
     * @param kernel  the running one
     */
    List<String> packages(Map<String, String> release, String kernel);

    /** Addresses of keys of package sources, each by a package that only this source offers. */
    Map<String, String> keys(Map<String, String> release);

    /** Files beside those that are always read. */
    List<String> files();
}
