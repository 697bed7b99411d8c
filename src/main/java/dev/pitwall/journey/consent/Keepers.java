package dev.pitwall.journey.consent;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.journey.FieldManager.Operation;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which field managers declare what they have written. Whoever applies on the server's side does; of those who update, only
 * the tools that are known to come again do: a kubelet, a controller of the cluster, or a person with {@code kubectl label}
 * has set a field once and may be followed.
 */
public final class Keepers {
    private static final String DATA = "/journey/field-keepers.yaml";

    private final Table table;

    /**
     * The data.
     *
     * @param own      Pitwall's own field manager
     * @param known    by field manager
     * @param updating those of them that declare even where they only update
     */
    private record Table(String own, Map<String, Keeper> known, List<String> updating) {
    }

    private Keepers(Table table) {
        this.table = table;
    }

    /** Those that are known. */
    public static Keepers load() {
        try (InputStream in = Keepers.class.getResourceAsStream(DATA)) {
            if (in == null) {
                throw new FileNotFoundException(DATA);
            }
            return new Keepers(new YAMLMapper().readValue(in, Table.class));
        } catch (IOException e) {
            throw new UncheckedIOException(DATA + " cannot be read", e);
        }
    }

    boolean isOwn(String manager) {
        return manager.equals(table.own());
    }

    /** @return empty for one that keeps nothing */
    Optional<Keeper> of(String manager, Operation operation) {
        if (isOwn(manager)) {
            return Optional.empty();
        }
        Optional<Keeper> known = Optional.ofNullable(table.known().get(manager));
        return operation == Operation.APPLY ? known.or(() -> Optional.of(new Keeper(manager, "where " + manager + " takes it from")))
                : known.filter(k -> table.updating().contains(manager));
    }
}
