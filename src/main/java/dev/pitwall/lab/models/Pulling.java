package dev.pitwall.lab.models;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.world.LabModelServer.Installed;
import dev.pitwall.lab.world.World;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** {@code /api/pull} of one server: the stages, the layers, and errors inside the stream. */
final class Pulling {
    /** About how often Ollama reports, in real time. */
    private static final Duration TICK = Duration.ofMillis(60);

    private final World world;
    private final String server;
    private final ModelLibrary library;
    private final Pulls pulls;
    private final ObjectMapper json = new ObjectMapper();

    /** Takes one line of the stream. */
    interface Report {
        void line(ObjectNode status) throws IOException;
    }

    private record Layer(String digest, long size) {
    }

    Pulling(World world, String server, ModelLibrary library) {
        this.world = world;
        this.server = server;
        this.library = library;
        this.pulls = new Pulls(world.clock());
    }

    /** Downloads a model; the last line is success or an error. */
    void pull(String model, Report report) throws IOException, InterruptedException {
        report.line(status("pulling manifest"));
        Optional<ModelLibrary.Entry> entry = library.find(model);
        if (entry.isEmpty()) {
            report.line(json.createObjectNode().put("error", "pull model manifest: file does not exist"));
            return;
        }
        for (Layer layer : layers(entry.get())) {
            download(layer, report);
        }
        report.line(status("verifying sha256 digest"));
        report.line(status("writing manifest"));
        install(entry.get());
        report.line(status("success"));
    }

    private void download(Layer layer, Report report) throws IOException, InterruptedException {
        if (isThere(layer)) {
            report.line(progress(layer, layer.size()));
            return;
        }
        pulls.join(layer.digest());
        try {
            for (long done = 0; done < layer.size();) {
                done = pulls.completed(layer.digest(), layer.size());
                report.line(progress(layer, done));
                if (done < layer.size()) {
                    Thread.sleep(TICK);
                }
            }
        } finally {
            pulls.leave(layer.digest(), layer.size());
        }
    }

    private boolean isThere(Layer layer) {
        return world.read(w -> w.servers.get(server).installed.stream()
                .anyMatch(m -> digest(m.name() + " weights").equals(layer.digest())));
    }

    /** {@code completed} is left out while it is 0. */
    private ObjectNode progress(Layer layer, long done) {
        ObjectNode node = status("pulling " + layer.digest().substring(0, 12)).put("digest", "sha256:" + layer.digest())
                .put("total", layer.size());
        return done == 0 ? node : node.put("completed", done);
    }

    private ObjectNode status(String text) {
        return json.createObjectNode().put("status", text);
    }

    private static List<Layer> layers(ModelLibrary.Entry entry) {
        return List.of(new Layer(digest(entry.name() + " weights"), entry.diskBytes() - 9_701),
                new Layer(digest(entry.name() + " template"), 1_429), new Layer(digest(entry.name() + " license"), 7_711),
                new Layer(digest(entry.name() + " config"), 561));
    }

    private static String digest(String of) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256")
                    .digest(of.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private void install(ModelLibrary.Entry e) {
        layers(e).forEach(layer -> pulls.forget(layer.digest()));
        world.change(w -> {
            List<Installed> installed = w.servers.get(server).installed;
            installed.removeIf(m -> m.name().equals(e.name()));
            installed.add(new Installed(e.name(), e.digest(), e.diskBytes(), e.vramBytes(), e.family(),
                    e.parameterSize(), e.quantization(), e.contextLength(), w.clock().instant()));
        });
    }
}
