package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;
import java.util.List;
import java.util.Optional;

/** An Image Factory whose calls are told to a watcher. */
final class WatchedImageFactory implements ImageFactory {
    private static final String SYSTEM = "image factory";

    private final ImageFactory factory;
    private final Watching watching;

    WatchedImageFactory(ImageFactory factory, Watching watching) {
        this.factory = factory;
        this.watching = watching;
    }

    @Override
    public String address() {
        return factory.address();
    }

    @Override
    public Optional<String> schematic(String id) throws TroubleException, InterruptedException {
        return watching.call(SYSTEM, "GET /schematics/" + id, () -> factory.schematic(id),
                found -> found.isPresent() ? "200" : "404");
    }

    @Override
    public String post(String yaml) throws TroubleException, InterruptedException {
        return watching.call(SYSTEM, "POST /schematics", () -> factory.post(yaml), id -> "201 " + id);
    }

    @Override
    public List<String> extensions(String version) throws TroubleException, InterruptedException {
        return watching.call(SYSTEM, "GET /version/" + version + "/extensions/official",
                () -> factory.extensions(version), names -> names.size() + " extensions");
    }

    @Override
    public void close() {
        // Its systems close it.
    }
}
