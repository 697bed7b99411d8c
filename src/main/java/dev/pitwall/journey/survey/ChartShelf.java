package dev.pitwall.journey.survey;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Helm.ChartFile;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What chart repositories have said. A version of a chart never changes, and a walk looks every few seconds: an index is
 * asked for anew after a while, and a repository that did not answer is left alone for a moment. Thread-safe.
 */
final class ChartShelf {
    private static final Duration INDEX_GOOD_FOR = Duration.ofMinutes(10);
    private static final Duration LEFT_ALONE = Duration.ofSeconds(30);

    private final InstantSource clock;
    private final Map<String, Index> indexes = new ConcurrentHashMap<>();
    private final Map<String, Refused> refusals = new ConcurrentHashMap<>();
    private final Map<String, ChartFile> files = new ConcurrentHashMap<>();

    private record Index(Instant until, List<String> versions) {
    }

    private record Refused(Instant until, Trouble trouble) {
    }

    ChartShelf(InstantSource clock) {
        this.clock = clock;
    }

    /** Newest first. */
    List<String> versions(Helm helm, String repository, String chart) throws TroubleException, InterruptedException {
        String key = repository + " " + chart;
        Index known = indexes.get(key);
        if (known != null && clock.instant().isBefore(known.until())) {
            return known.versions();
        }
        leaveAlone(key);
        try {
            List<String> versions = helm.versions(repository, chart);
            indexes.put(key, new Index(clock.instant().plus(INDEX_GOOD_FOR), versions));
            return versions;
        } catch (TroubleException e) {
            refusals.put(key, new Refused(clock.instant().plus(LEFT_ALONE), e.trouble()));
            throw e;
        }
    }

    ChartFile file(Helm helm, String repository, String chart, String version)
            throws TroubleException, InterruptedException {
        String key = repository + " " + chart + " " + version;
        ChartFile known = files.get(key);
        if (known != null) {
            return known;
        }
        leaveAlone(key);
        try {
            ChartFile file = helm.chart(repository, chart, version);
            files.put(key, file);
            return file;
        } catch (TroubleException e) {
            refusals.put(key, new Refused(clock.instant().plus(LEFT_ALONE), e.trouble()));
            throw e;
        }
    }

    private void leaveAlone(String key) throws TroubleException {
        Refused refused = refusals.get(key);
        if (refused != null && clock.instant().isBefore(refused.until())) {
            throw new TroubleException(refused.trouble());
        }
    }
}
