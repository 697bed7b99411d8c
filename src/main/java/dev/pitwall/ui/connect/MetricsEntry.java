package dev.pitwall.ui.connect;

import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.MetricsAccess;
import java.util.Optional;
import java.util.function.Supplier;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** Where Prometheus is, if the person says so; else it is looked for in the cluster. */
final class MetricsEntry extends Entry {
    private final Tools tools;
    private final Supplier<Optional<ClusterAccess>> cluster;
    private final StringProperty address = new SimpleStringProperty("");

    MetricsEntry(Tools tools, Supplier<Optional<ClusterAccess>> cluster, Optional<MetricsAccess> saved,
                 Runnable changed) {
        super(tools, changed);
        this.tools = tools;
        this.cluster = cluster;
        saved.ifPresent(access -> {
            address.set(EndpointText.of(access.endpoint()));
            savedAs(Optional.empty());
        });
        address.addListener((_, _, _) -> moved());
    }

    StringProperty addressProperty() {
        return address;
    }

    @Override
    String title() {
        return tools.texts().get("connect.system.prometheus");
    }

    @Override
    boolean filled() {
        return !address.get().isBlank();
    }

    @Override
    Optional<String> missing() {
        if (!filled()) {
            return Optional.of(tools.texts().get("connect.missing.address"));
        }
        return EndpointText.parse(address.get()).isPresent() ? Optional.empty()
                : Optional.of(tools.texts().get("connect.missing.endpoint"));
    }

    @Override
    void test() {
        if (missing().isEmpty()) {
            MetricsAccess access = access();
            Optional<ClusterAccess> inside = cluster.get();
            trial().run(title(), progress -> tools.reach().metrics(access, inside, progress));
        }
    }

    MetricsAccess access() {
        return new MetricsAccess(EndpointText.parse(address.get()).orElseThrow());
    }
}
