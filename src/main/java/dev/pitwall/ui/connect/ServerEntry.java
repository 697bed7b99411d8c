package dev.pitwall.ui.connect;

import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.ServerAccess;
import java.util.Optional;
import java.util.function.Supplier;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** A model server that the person names; those in the cluster are found by themselves. */
final class ServerEntry extends Entry {
    private final Tools tools;
    private final Supplier<Optional<ClusterAccess>> cluster;
    private final StringProperty name = new SimpleStringProperty("");
    private final StringProperty address = new SimpleStringProperty("");
    private final StringProperty node = new SimpleStringProperty("");

    ServerEntry(Tools tools, Supplier<Optional<ClusterAccess>> cluster, Optional<ServerAccess> saved,
                Runnable changed) {
        super(tools, changed);
        this.tools = tools;
        this.cluster = cluster;
        saved.ifPresent(access -> {
            name.set(access.name());
            address.set(EndpointText.of(access.endpoint()));
            node.set(access.node().orElse(""));
            savedAs(Optional.empty());
        });
        name.addListener((_, _, _) -> touched());
        address.addListener((_, _, _) -> moved());
        node.addListener((_, _, _) -> changed());
    }

    StringProperty nameProperty() {
        return name;
    }

    StringProperty addressProperty() {
        return address;
    }

    /** The Kubernetes node or machine it runs on; empty if unknown. */
    StringProperty nodeProperty() {
        return node;
    }

    @Override
    String title() {
        return name.get().strip();
    }

    @Override
    boolean filled() {
        return !name.get().isBlank() || !address.get().isBlank();
    }

    @Override
    Optional<String> missing() {
        if (name.get().isBlank()) {
            return Optional.of(tools.texts().get("connect.missing.name"));
        }
        return EndpointText.parse(address.get()).isPresent() ? Optional.empty()
                : Optional.of(tools.texts().get("connect.missing.endpoint"));
    }

    @Override
    void test() {
        if (missing().isEmpty()) {
            ServerAccess access = access();
            Optional<ClusterAccess> inside = cluster.get();
            trial().run(title(), progress -> tools.reach().server(access, inside, progress));
        }
    }

    ServerAccess access() {
        return new ServerAccess(title(), EndpointText.parse(address.get()).orElseThrow(),
                Optional.of(node.get().strip()).filter(n -> !n.isEmpty()));
    }
}
