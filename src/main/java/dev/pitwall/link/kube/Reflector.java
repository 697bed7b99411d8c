package dev.pitwall.link.kube;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Response;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a shelf equal to one resource of the API server: lists it page by page, then watches from there. A cut watch
 * goes on where it was; a version that is too old (410) leads to a new list, more slowly each time it repeats. What is
 * known stays on the shelf whatever happens. Decision 0004 says why this is not client-java's informer.
 */
final class Reflector implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);
    private static final JsonFactory JSON = new JsonFactory();
    private static final int PAGE = 500;
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final Duration QUICK = Duration.ofSeconds(1);
    private static final int PATIENCE = 3;

    private final WatchedResource resource;
    private final Doorway door;
    private final Shelf<?> shelf;
    private final Health health;
    private final Pace pace;
    private final InstantSource clock;
    private final Semaphore wake = new Semaphore(0);
    private volatile Call call;
    private volatile boolean relist;
    private volatile boolean stopped;
    private volatile boolean begun;
    private volatile Instant openSince = Instant.MAX;
    private volatile int gone;
    private int failures;
    private int flaps;
    private String version = "";
    private ApiServer last;

    /** Where the API server comes from; it may change when the kubeconfig does. */
    @FunctionalInterface
    interface Doorway {
        ApiServer server() throws TroubleException;
    }

    Reflector(WatchedResource resource, Doorway door, Shelf<?> shelf, Health health, Pace pace, InstantSource clock) {
        this.resource = resource;
        this.door = door;
        this.shelf = shelf;
        this.health = health;
        this.pace = pace;
        this.clock = clock;
    }

    Health health() {
        return health;
    }

    ClusterReport.Part part() {
        return resource.part();
    }

    /** Runs until it is stopped. */
    @Override
    public void run() {
        try {
            while (!stopped) {
                round();
            }
        } catch (InterruptedException closed) {
            LOG.debug("watch of {} closed", resource.name());
        }
    }

    /** True once it has begun to list; what mattered before that is in the list. */
    boolean begun() {
        return begun;
    }

    /** Lists again soon: what matters has changed, so objects that were passed over are needed now. */
    void relist() {
        relist = true;
        Call running = call;
        if (running != null) {
            running.cancel();
        }
    }

    /** Ends it, as soon as what it waits for is interrupted or cut. */
    void stop() {
        stopped = true;
        wake.release();
    }

    /** Asks again now instead of at the next try. */
    void hurry() {
        wake.release();
    }

    /** Called now and then: a watch that has stayed open works, even if nothing happens in the cluster. */
    void tick() {
        Instant since = openSince;
        if (since != Instant.MAX && !clock.instant().isBefore(since.plus(pace.settle()))) {
            gone = 0;
            health.working(clock.instant());
        }
    }

    private void round() throws InterruptedException {
        try {
            ApiServer server = door.server();
            if (server != last) {
                // Versions of one cluster mean nothing to another, and the kubeconfig may now name another.
                version = "";
                last = server;
            }
            if (version.isEmpty() || relist) {
                list(server);
            }
            watch(server);
            failures = 0;
        } catch (ApiRefusal refusal) {
            refused(refusal);
        } catch (TroubleException failed) {
            if (relist || stopped) {
                return;
            }
            fail(failed.trouble(), false, pace.after(++failures));
        }
    }

    private void refused(ApiRefusal refusal) throws InterruptedException {
        if (refusal.gone()) {
            version = "";
            gone++;
            if (gone >= PATIENCE) {
                health.failed(refusal.trouble(), clock.instant(), false);
            }
            pause(pace.after(gone));
        } else if (refusal.absent() && resource.optional()) {
            version = "";
            shelf.intake().commit();
            health.working(clock.instant());
            pause(pace.idle());
        } else {
            fail(refusal.trouble(), refusal.forbidden(),
                    refusal.forbidden() ? pace.idle() : pace.after(++failures));
        }
    }

    private void fail(Trouble trouble, boolean forbidden, Duration wait) throws InterruptedException {
        health.failed(trouble, clock.instant(), forbidden);
        pause(wait);
    }

    private void pause(Duration wait) throws InterruptedException {
        if (wake.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS)) {
            wake.drainPermits();
        }
    }

    /** The last attempt asks for everything at once, so that a list longer than the server's memory ends too. */
    private void list(ApiServer server) throws ApiRefusal, TroubleException {
        relist = false;
        begun = true;
        for (int attempt = 1; attempt < PATIENCE; attempt++) {
            try {
                listOnce(server, PAGE);
                return;
            } catch (ApiRefusal refusal) {
                if (!refusal.gone()) {
                    throw refusal;
                }
                LOG.debug("list of {} expired between two pages", resource.name());
            }
        }
        listOnce(server, 0);
    }

    private void listOnce(ApiServer server, int limit) throws ApiRefusal, TroubleException {
        Shelf<?>.Intake intake = shelf.intake();
        String next = "";
        String at;
        do {
            HttpUrl.Builder url = server.url(resource.path());
            if (limit > 0) {
                url.addQueryParameter("limit", Integer.toString(limit));
            }
            if (!next.isEmpty()) {
                url.addQueryParameter("continue", next);
            }
            call = server.request(url.build());
            try (Response response = server.send(call, "list " + resource.inSentence())) {
                ListPage page = ListPage.read(response.body().byteStream(), intake::take);
                next = page.next();
                at = page.version();
            } catch (ListPage.NotAList other) {
                throw new TroubleException(new Trouble(Trouble.Kind.PROTOCOL, server.where(),
                        "its list of " + resource.name() + " is not a Kubernetes list",
                        "Check the server address in the kubeconfig; another service may stand there."), other);
            } catch (IOException cut) {
                throw server.trouble(cut);
            }
        } while (!next.isEmpty());
        intake.commit();
        version = at;
        if (gone == 0) {
            health.working(clock.instant());
        } else {
            health.heard(clock.instant());
        }
    }

    private void watch(ApiServer server) throws ApiRefusal, TroubleException, InterruptedException {
        HttpUrl url = server.url(resource.path())
                .addQueryParameter("watch", "true")
                .addQueryParameter("allowWatchBookmarks", "true")
                .addQueryParameter("resourceVersion", version)
                .addQueryParameter("timeoutSeconds", Long.toString(Math.max(1, pace.watch().toSeconds())))
                .build();
        call = server.watch(url);
        // No read timeout, since a quiet cluster says nothing; the whole call ends soon after the server should.
        call.timeout().timeout(pace.watch().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        Instant began = clock.instant();
        int events = 0;
        try (Response response = server.send(call, "watch " + resource.inSentence())) {
            openSince = began;
            if (gone == 0) {
                health.working(began);
            }
            events = follow(server, response.body().byteStream());
        } catch (IOException cut) {
            // Half an event is worth nothing; the version of the last whole one is where the next watch begins.
            LOG.debug("watch of {} was cut", resource.name(), cut);
        } finally {
            openSince = Instant.MAX;
        }
        ended(server, events > 0 || Duration.between(began, clock.instant()).compareTo(QUICK) > 0);
    }

    private void ended(ApiServer server, boolean useful) throws InterruptedException {
        if (relist || useful) {
            flaps = 0;
            return;
        }
        flaps++;
        if (flaps >= PATIENCE) {
            health.failed(new Trouble(Trouble.Kind.CONNECT, server.where(),
                    "it ends every watch of " + resource.name() + " at once",
                    "Check for a proxy between this machine and the API server that cuts long answers."),
                    clock.instant(), false);
        }
        pause(pace.after(flaps));
    }

    private int follow(ApiServer server, InputStream body) throws IOException, ApiRefusal {
        int events = 0;
        try (JsonParser parser = JSON.createParser(body)) {
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                event(server, SlimTree.read(parser));
                events++;
            }
        }
        return events;
    }

    private void event(ApiServer server, JsonNode event) throws ApiRefusal {
        JsonNode object = event.path("object");
        switch (event.path("type").asText()) {
            case "ADDED", "MODIFIED" -> shelf.put(object);
            case "DELETED" -> shelf.remove(object);
            case "ERROR" -> throw ApiRefusal.of(object, server, "watch " + resource.inSentence());
            default -> {
                // A bookmark carries nothing but the version, and other types may be added.
            }
        }
        String at = object.path("metadata").path("resourceVersion").asText("");
        if (!at.isEmpty()) {
            version = at;
        }
        gone = 0;
        health.working(clock.instant());
    }
}
