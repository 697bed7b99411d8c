package dev.pitwall.journey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A machine API whose calls are told to a watcher as the {@code talosctl} commands that do the same. */
final class WatchedTalos implements Talos {
    private final Talos talos;
    private final Watching watching;
    private final String system;

    WatchedTalos(Talos talos, Watching watching) {
        this.talos = talos;
        this.watching = watching;
        this.system = talos.name() + " talos";
    }

    @Override
    public String name() {
        return talos.name();
    }

    @Override
    public List<String> nodes() {
        return talos.nodes();
    }

    private static String line(String node, String command) {
        return "talosctl -n " + node + " " + command;
    }

    @Override
    public Version version(String node) throws TroubleException, InterruptedException {
        return watching.call(system, line(node, "version"), () -> talos.version(node), Version::tag);
    }

    @Override
    public List<Service> services(String node) throws TroubleException, InterruptedException {
        return watching.call(system, line(node, "services"), () -> talos.services(node), all -> all.size() + " services");
    }

    @Override
    public String kernelLog(String node) throws TroubleException, InterruptedException {
        return watching.call(system, line(node, "dmesg"), () -> talos.kernelLog(node),
                log -> log.lines().count() + " lines");
    }

    @Override
    public Optional<String> read(String node, String path) throws TroubleException, InterruptedException {
        return watching.call(system, line(node, "read " + path), () -> talos.read(node, path),
                text -> text.isPresent() ? "ok" : "no such file");
    }

    @Override
    public List<Resource> list(String node, ResourceType type) throws TroubleException, InterruptedException {
        return watching.call(system, line(node, "get " + type.word()), () -> talos.list(node, type),
                all -> all.size() + " resources");
    }

    @Override
    public JsonNode config(String node, JsonNode wanted) throws TroubleException, InterruptedException {
        return watching.call(system, line(node, "get machineconfig v1alpha1"), () -> talos.config(node, wanted),
                fields -> "ok");
    }

    @Override
    public String setConfig(String node, JsonNode before, JsonNode after, Cluster.Earnest earnest)
            throws TroubleException, InterruptedException {
        return watching.call(system, line(node, "patch machineconfig --mode=no-reboot"
                + (earnest == Cluster.Earnest.TRY ? " --dry-run" : "")),
                () -> talos.setConfig(node, before, after, earnest), details -> details);
    }

    @Override
    public Installed upgrade(String node, String image, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        return watching.call(system, line(node, "upgrade --image " + image), () -> talos.upgrade(node, image, line -> {
            watching.printed(system, line);
            lines.accept(line);
        }), installed -> installed == Installed.REBOOTS ? "taken; it reboots by itself" : "installed");
    }

    @Override
    public void reboot(String node) throws TroubleException, InterruptedException {
        watching.call(system, line(node, "reboot"), () -> {
            talos.reboot(node);
            return node;
        }, done -> "taken");
    }

    @Override
    public void close() {
        // Its systems close it.
    }
}
