package dev.pitwall.journey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.HelmChange.Past;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Helm whose calls are told to a watcher as command lines; of values nothing is told. */
final class WatchedHelm implements Helm {
    private static final String SYSTEM = "helm";

    private final Helm helm;
    private final Watching watching;

    WatchedHelm(Helm helm, Watching watching) {
        this.helm = helm;
        this.watching = watching;
    }

    @Override
    public List<Release> releases() throws TroubleException, InterruptedException {
        return watching.call(SYSTEM, "helm list --all --all-namespaces", helm::releases, all -> all.size() + " releases");
    }

    @Override
    public List<Release> history(String namespace, String release) throws TroubleException, InterruptedException {
        return watching.call(SYSTEM, "helm history " + release + " -n " + namespace,
                () -> helm.history(namespace, release), all -> all.size() + " revisions");
    }

    @Override
    public Optional<JsonNode> values(String namespace, String release, int revision)
            throws TroubleException, InterruptedException {
        return watching.call(SYSTEM, "helm get values " + release + " -n " + namespace + " --revision " + revision,
                () -> helm.values(namespace, release, revision), values -> values.isPresent() ? "ok" : "no such revision");
    }

    @Override
    public List<String> versions(String repository, String chart) throws TroubleException, InterruptedException {
        return watching.call(SYSTEM, "helm search " + chart + " in " + repository,
                () -> helm.versions(repository, chart), all -> all.size() + " versions");
    }

    @Override
    public ChartFile chart(String repository, String chart, String version)
            throws TroubleException, InterruptedException {
        return watching.call(SYSTEM, "helm show values " + chart + " --version " + version + " --repo " + repository,
                () -> helm.chart(repository, chart, version), file -> "ok");
    }

    @Override
    public List<JsonNode> template(Order order) throws TroubleException, InterruptedException {
        return watching.call(SYSTEM, line("template", order), () -> helm.template(order),
                objects -> objects.size() + " objects");
    }

    @Override
    public void install(Order order, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        watching.call(SYSTEM, line("install", order), () -> {
            helm.install(order, limit, printing(lines));
            return order;
        }, done -> "ok");
    }

    @Override
    public void upgrade(Order order, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        watching.call(SYSTEM, line("upgrade", order), () -> {
            helm.upgrade(order, limit, printing(lines));
            return order;
        }, done -> "ok");
    }

    @Override
    public void uninstall(String namespace, String release, Past past, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        watching.call(SYSTEM, "helm uninstall " + release + " -n " + namespace
                + (past == Past.KEPT ? " --keep-history" : ""), () -> {
            helm.uninstall(namespace, release, past, limit, printing(lines));
            return release;
        }, done -> "ok");
    }

    @Override
    public void abandon(String namespace, String release, int revision) throws TroubleException, InterruptedException {
        watching.call(SYSTEM, "forget pending revision " + revision + " of " + release + " in " + namespace, () -> {
            helm.abandon(namespace, release, revision);
            return release;
        }, done -> "ok");
    }

    private static String line(String verb, Order order) {
        return "helm " + verb + " " + order.release() + " " + order.chart() + " --version " + order.version()
                + " -n " + order.namespace() + " --repo " + order.repository();
    }

    private Consumer<String> printing(Consumer<String> lines) {
        return line -> {
            watching.printed(SYSTEM, line);
            lines.accept(line);
        };
    }

    @Override
    public void close() {
        // Its systems close it.
    }
}
