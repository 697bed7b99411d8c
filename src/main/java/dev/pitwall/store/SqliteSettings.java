package dev.pitwall.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pitwall.card.TroubleException;
import dev.pitwall.settings.KeptSettings;
import dev.pitwall.settings.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings, in the database: one row a setting, its value as JSON. */
public final class SqliteSettings implements KeptSettings {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteSettings.class);

    private final JsonMapper json = JsonMapper.builder().build();
    private final Database database;

    public SqliteSettings(Database database) {
        this.database = database;
    }

    @Override
    public Settings load() throws TroubleException {
        Map<String, String> kept = database.read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT name, value FROM setting");
                 ResultSet rows = statement.executeQuery()) {
                Map<String, String> values = new HashMap<>();
                while (rows.next()) {
                    values.put(rows.getString(1), rows.getString(2));
                }
                return values;
            }
        });
        Settings standard = Settings.DEFAULT;
        return new Settings(
                value(kept, "theme", new TypeReference<Settings.Theme>() { }).orElse(standard.theme()),
                value(kept, "density", new TypeReference<Settings.Density>() { }).orElse(standard.density()),
                value(kept, "refreshSeconds", new TypeReference<Integer>() { })
                        .filter(s -> s >= Settings.FASTEST && s <= Settings.SLOWEST).orElse(standard.refreshSeconds()),
                value(kept, "window", new TypeReference<Settings.Window>() { }),
                value(kept, "openSites", new TypeReference<List<String>>() { }).orElse(standard.openSites()));
    }

    /** A value another version wrote and this one cannot read counts as not kept: a setting is never worth a refusal. */
    private <T> Optional<T> value(Map<String, String> kept, String name, TypeReference<T> type) {
        try {
            return kept.containsKey(name) ? Optional.ofNullable(json.readValue(kept.get(name), type)) : Optional.empty();
        } catch (JsonProcessingException e) {
            LOG.info("The kept setting \"{}\" is not understood; its default is used", name);
            return Optional.empty();
        }
    }

    @Override
    public void keep(Settings settings) throws TroubleException {
        database.write(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    INSERT INTO setting (name, value) VALUES (?, ?)
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value""")) {
                put(statement, "theme", settings.theme());
                put(statement, "density", settings.density());
                put(statement, "refreshSeconds", settings.refreshSeconds());
                put(statement, "window", settings.window().orElse(null));
                put(statement, "openSites", settings.openSites());
                return null;
            }
        });
    }

    private void put(PreparedStatement statement, String name, Object value) throws SQLException {
        try {
            statement.setString(1, name);
            statement.setString(2, json.writeValueAsString(value));
            statement.executeUpdate();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a setting has no JSON form: " + name, e);
        }
    }
}
