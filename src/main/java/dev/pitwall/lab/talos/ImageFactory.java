package dev.pitwall.lab.talos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.pitwall.lab.world.World;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Talos's Image Factory: it keeps schematics and knows releases and their extensions. It builds no images, and says so
 * (facts: cluster.md 4.4).
 */
final class ImageFactory implements HttpHandler {
    private static final Set<String> ENTERPRISE = Set.of(".sha256", ".sha512", ".sigstore.json");
    private static final Pattern IMAGE = Pattern.compile("[a-z0-9]+-(amd64|arm64)(-secureboot)?"
            + "(\\.iso|\\.raw(\\.xz|\\.zst|\\.gz)?|\\.qcow2|\\.ova|\\.tar\\.gz|-uki\\.efi)?"
            + "|(kernel|initramfs|cmdline)-[a-z0-9-]+(\\.xz)?|installer-(amd64|arm64)(-secureboot)?\\.tar");

    private final World world;
    private final TalosData data;
    private final Images images;
    private final ObjectMapper json = new ObjectMapper();

    ImageFactory(World world, TalosData data, Images images) {
        this.world = world;
        this.data = data;
        this.images = images;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws IOException {
        List<String> path = Arrays.stream(exchange.getRequestPath().split("/")).filter(part -> !part.isEmpty()).toList();
        try {
            answer(exchange, exchange.getRequestMethod().toString(), path);
        } catch (FactoryRefusal e) {
            exchange.setStatusCode(e.status());
            send(exchange, "text/plain; charset=utf-8", e.getMessage() + "\n");
        }
    }

    private void answer(HttpServerExchange exchange, String method, List<String> path) throws IOException, FactoryRefusal {
        boolean get = method.equals("GET") || method.equals("HEAD");
        String first = path.isEmpty() ? "" : path.getFirst();
        switch (first) {
            case "healthz" -> send(exchange, "text/plain; charset=utf-8", "");
            case "schematics" -> schematics(exchange, method, path);
            case "versions" -> {
                ArrayNode list = json.createArrayNode();
                data.releases().forEach(release -> list.add(release.talos()));
                send(exchange, "application/json", list + "\n");
            }
            case "version" -> version(exchange, path);
            case "image", "pxe" -> image(path, get);
            default -> throw FactoryRefusal.notFound("404 page not found");
        }
    }

    private void schematics(HttpServerExchange exchange, String method, List<String> path)
            throws IOException, FactoryRefusal {
        if (method.equals("POST") && path.size() == 1) {
            Schematic schematic = Schematic.parse(new String(exchange.getInputStream().readAllBytes(),
                    StandardCharsets.UTF_8));
            world.change(w -> w.schematics.put(schematic.id(), schematic.canonical()));
            exchange.setStatusCode(201);
            send(exchange, "application/json", json.createObjectNode().put("id", schematic.id())
                    .put("schematic", schematic.canonical()) + "\n");
        } else if (method.equals("GET") && path.size() == 2) {
            send(exchange, "application/yaml", images.schematic(path.get(1)).canonical());
        } else {
            throw FactoryRefusal.notFound("404 page not found");
        }
    }

    private void version(HttpServerExchange exchange, List<String> path) throws IOException, FactoryRefusal {
        if (path.size() != 4 || !path.get(3).equals("official")) {
            throw FactoryRefusal.notFound("404 page not found");
        }
        TalosData.Release release = images.release(path.get(1));
        ArrayNode list = json.createArrayNode();
        switch (path.get(2)) {
            case "extensions" -> data.extensions(release).forEach(extension -> {
                String ref = "ghcr.io/" + extension.name() + ":" + extension.version();
                list.addObject().put("name", extension.name()).put("ref", ref).put("digest", Digests.of(ref))
                        .put("author", extension.author()).put("description", extension.description());
            });
            // No machine of the lab is a single-board computer.
            case "overlays" -> { }
            default -> throw FactoryRefusal.notFound("404 page not found");
        }
        send(exchange, "application/json", list + "\n");
    }

    /** All that the factory checks before it builds, and then the truth. */
    private void image(List<String> path, boolean get) throws FactoryRefusal {
        if (path.size() != 4 || !get) {
            throw FactoryRefusal.notFound("404 page not found");
        }
        String file = path.get(3);
        if (ENTERPRISE.stream().anyMatch(file::endsWith)) {
            throw FactoryRefusal.enterprise("enterprise not enabled: checksum endpoint is not available");
        }
        Schematic schematic = images.schematic(path.get(1));
        TalosData.Release release = images.release(path.get(2));
        if (!IMAGE.matcher(file).matches()) {
            throw FactoryRefusal.invalid("error parsing profile from path: invalid profile path: \"" + file + "\"");
        }
        images.extensions(schematic, release);
        throw FactoryRefusal.notBuilt("the practice lab's Image Factory checks what an image is made of, but builds none");
    }

    private static void send(HttpServerExchange exchange, String type, String text) {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, type);
        exchange.getResponseSender().send(text, StandardCharsets.UTF_8);
    }
}
