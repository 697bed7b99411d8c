package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.change.HelmChange.Past;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Helm, of which the same is read once. */
record OnceHelm(Helm helm, Memo memo) implements Helm {

    @Override
    public List<Release> releases() throws TroubleException, InterruptedException {
        return memo.ask(List.of("releases"), helm::releases);
    }

    @Override
    public List<Release> history(String namespace, String release) throws TroubleException, InterruptedException {
        return memo.ask(List.of("history", namespace, release), () -> helm.history(namespace, release));
    }

    @Override
    public Optional<JsonNode> values(String namespace, String release, int revision)
            throws TroubleException, InterruptedException {
        return memo.ask(List.of("values", namespace, release, revision),
                () -> helm.values(namespace, release, revision));
    }

    @Override
    public List<String> versions(String repository, String chart) throws TroubleException, InterruptedException {
        return memo.ask(List.of("versions", repository, chart), () -> helm.versions(repository, chart));
    }

    @Override
    public ChartFile chart(String repository, String chart, String version)
            throws TroubleException, InterruptedException {
        return memo.ask(List.of("chart", repository, chart, version), () -> helm.chart(repository, chart, version));
    }

    @Override
    public List<JsonNode> template(Order order) throws TroubleException, InterruptedException {
        return helm.template(order);
    }

    @Override
    public void install(Order order, Duration limit, Consumer<String> lines) {
        throw ReadOnce.writes();
    }

    @Override
    public void upgrade(Order order, Duration limit, Consumer<String> lines) {
        throw ReadOnce.writes();
    }

    @Override
    public void uninstall(String namespace, String release, Past past, Duration limit, Consumer<String> lines) {
        throw ReadOnce.writes();
    }

    @Override
    public void abandon(String namespace, String release, int revision) {
        throw ReadOnce.writes();
    }

    @Override
    public void close() {
        // Its systems close it.
    }
}
