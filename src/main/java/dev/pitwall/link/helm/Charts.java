package dev.pitwall.link.helm;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Helm.ChartFile;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import java.io.IOException;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Chart repositories: {@code index.yaml} and the archives that it names [helm.sh: The Chart Repository Guide]. Charts are
 * fetched here rather than by Helm, so that none of its own repository files, caches and environment has a part in it,
 * and what is installed is what was shown. An index is kept for some minutes, an archive as long as this.
 */
final class Charts implements AutoCloseable {
    private static final Duration FRESH = Duration.ofMinutes(5);
    private static final String REGISTRY = "oci://";
    /** The indexes of makers have some MiB. */
    private static final int LONGEST_INDEX = 128 << 20;

    private final NetworkTrouble troubles;
    private final InstantSource clock;
    private final Download download;
    private final YAMLMapper yaml;
    private final Map<String, Index> indexes = new HashMap<>();
    private final Map<String, byte[]> archives = new HashMap<>();

    /** @param charts by name, as the repository lists them */
    private record Index(Instant read, JsonNode charts) {
    }

    /** @param environment of this process */
    Charts(NetworkTrouble troubles, InstantSource clock, Map<String, String> environment) {
        this.troubles = troubles;
        this.clock = clock;
        this.download = new Download(troubles, new EnvironmentProxies(environment));
        LoaderOptions large = new LoaderOptions();
        large.setCodePointLimit(LONGEST_INDEX);
        this.yaml = new YAMLMapper(YAMLFactory.builder().loaderOptions(large).build());
    }

    /** Newest first, without pre-releases, which Helm too takes only when they are named. */
    List<String> versions(String repository, String chart) throws TroubleException, InterruptedException {
        List<ChartVersion> versions = new ArrayList<>();
        entries(repository, chart).forEach(entry -> ChartVersion.of(entry.path("version").asText())
                .filter(version -> !version.preRelease()).ifPresent(versions::add));
        versions.sort(Comparator.reverseOrder());
        return versions.stream().map(ChartVersion::text).toList();
    }

    ChartFile chart(String repository, String chart, String version) throws TroubleException, InterruptedException {
        try {
            return ChartReader.read(archive(repository, chart, version));
        } catch (IOException unreadable) {
            throw new TroubleException(troubles.words().trouble(Kind.UNREADABLE, place(repository), "helm.badchart",
                    "chart", chart, "version", version), unreadable);
        }
    }

    /** The packed chart, whose digest is the one that the repository says. */
    byte[] archive(String repository, String chart, String version) throws TroubleException, InterruptedException {
        JsonNode entry = entry(repository, chart, version);
        String digest = entry.path("digest").asText("").replaceFirst("^sha256:", "");
        String key = repository + " " + chart + " " + version + " " + digest;
        Optional<byte[]> kept = kept(key);
        if (kept.isPresent()) {
            return kept.get();
        }
        URI address = base(repository).resolve(entry.at("/urls/0").asText());
        Place place = place(repository);
        byte[] bytes = download.get(place, address, code -> troubles.words().failure(Kind.MISSING,
                place, "helm.noarchive", "chart", chart, "version", version, "code", code));
        if (!digest.isEmpty() && !digest.equalsIgnoreCase(sha256(bytes))) {
            throw troubles.words().failure(Kind.TRUST, place(repository), "helm.digest", "chart", chart, "version", version);
        }
        keep(key, bytes);
        return bytes;
    }

    private synchronized Optional<byte[]> kept(String key) {
        return Optional.ofNullable(archives.get(key));
    }

    private synchronized void keep(String key, byte[] bytes) {
        archives.put(key, bytes);
    }

    private JsonNode entry(String repository, String chart, String version) throws TroubleException, InterruptedException {
        JsonNode entries = entries(repository, chart);
        for (JsonNode entry : entries) {
            if (entry.path("version").asText().equals(version)) {
                return entry;
            }
        }
        for (JsonNode entry : entries) {
            if (ChartVersion.of(entry.path("version").asText()).filter(v -> v.same(version)).isPresent()) {
                return entry;
            }
        }
        List<String> there = versions(repository, chart);
        throw troubles.words().failure(Kind.MISSING, place(repository), "helm.noversion", "chart", chart, "version",
                version, "newest", there.isEmpty() ? "none" : there.getFirst());
    }

    private JsonNode entries(String repository, String chart) throws TroubleException, InterruptedException {
        JsonNode charts = index(repository).charts();
        if (charts.path(chart).isEmpty()) {
            List<String> names = new ArrayList<>();
            charts.fieldNames().forEachRemaining(names::add);
            throw troubles.words().failure(Kind.MISSING, place(repository), "helm.nochart", "chart", chart, "charts",
                    names.isEmpty() ? "none" : String.join(", ", names.subList(0, Math.min(8, names.size()))));
        }
        return charts.path(chart);
    }

    private Index index(String repository) throws TroubleException, InterruptedException {
        Optional<Index> kept = keptIndex(repository);
        if (kept.isPresent()) {
            return kept.get();
        }
        Place place = place(repository);
        Function<String, TroubleException> refused = code -> troubles.words().failure(
                code.equals("404") ? Kind.MISSING : Kind.PROTOCOL, place, "helm.noindex", "code", code,
                "address", repository);
        byte[] text = download.get(place, base(repository).resolve("index.yaml"), refused);
        Index index = new Index(clock.instant(), charts(repository, text));
        keepIndex(repository, index);
        return index;
    }

    private synchronized Optional<Index> keptIndex(String repository) {
        return Optional.ofNullable(indexes.get(repository))
                .filter(index -> clock.instant().isBefore(index.read().plus(FRESH)));
    }

    private synchronized void keepIndex(String repository, Index index) {
        indexes.put(repository, index);
    }

    private JsonNode charts(String repository, byte[] text) throws TroubleException {
        try {
            JsonNode entries = yaml.readTree(text).path("entries");
            if (entries.isObject()) {
                return entries;
            }
        } catch (JacksonException notYaml) {
            throw new TroubleException(troubles.words().trouble(Kind.UNREADABLE, place(repository), "helm.notindex",
                    "address", repository), notYaml);
        } catch (IOException unreadable) {
            throw new IllegalStateException("it is in memory", unreadable);
        }
        throw troubles.words().failure(Kind.UNREADABLE, place(repository), "helm.notindex", "address", repository);
    }

    private URI base(String repository) throws TroubleException {
        try {
            URI uri = URI.create(repository.endsWith("/") ? repository : repository + "/");
            if (uri.getHost() != null && uri.getScheme().startsWith("http")) {
                return uri;
            }
        } catch (IllegalArgumentException garbled) {
            // Said below, in the same words as for every other text that is no address.
        }
        throw troubles.words().failure(Kind.MISSING, new Place(Service.CHARTS, repository, repository, 443),
                repository.startsWith(REGISTRY) ? "helm.registry" : "helm.address", "address", repository);
    }

    private Place place(String repository) throws TroubleException {
        return Place.of(Service.CHARTS, repository, base(repository));
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public void close() {
        download.close();
    }
}
