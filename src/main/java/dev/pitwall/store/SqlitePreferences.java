package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.settings.Preferences;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The preferences, in memory and in the database. Another process's changes are seen at the next start; both may write,
 * key by key.
 */
public final class SqlitePreferences implements Preferences, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SqlitePreferences.class);

    private final Map<String, String> values = new ConcurrentHashMap<>();
    private final Set<String> unsaved = ConcurrentHashMap.newKeySet();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final Database database;
    private final Executor background;

    private SqlitePreferences(Database database, Executor background) {
        this.database = database;
        this.background = background;
    }

    /**
     * Reads what was kept.
     *
     * @param background for the writes
     */
    public static SqlitePreferences load(Database database, Executor background) throws TroubleException {
        SqlitePreferences preferences = new SqlitePreferences(database, background);
        preferences.values.putAll(database.read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT name, value FROM setting");
                 ResultSet rows = statement.executeQuery()) {
                Map<String, String> kept = new HashMap<>();
                while (rows.next()) {
                    kept.put(rows.getString(1), rows.getString(2));
                }
                return kept;
            }
        }));
        return preferences;
    }

    @Override
    public Optional<String> get(String key) {
        return Optional.ofNullable(values.get(key));
    }

    @Override
    public void set(String key, String value) {
        if (value.equals(values.put(key, value))) {
            return;
        }
        unsaved.add(key);
        listeners.forEach(listener -> listener.accept(key));
        background.execute(this::save);
    }

    @Override
    public Runnable observe(Consumer<String> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Writes whatever is not written yet, with the values of now: of many quick changes the last one stays. */
    private void save() {
        for (String key : List.copyOf(unsaved)) {
            try {
                save(key);
            } catch (TroubleException e) {
                LOG.warn("The setting \"{}\" holds until Pitwall is closed: {}", key, e.trouble().sentence());
                return;
            }
        }
    }

    private void save(String key) throws TroubleException {
        database.write(connection -> {
            // Taken off under the transaction: a change from now on is written by a later call.
            if (!unsaved.remove(key)) {
                return 0;
            }
            try (PreparedStatement statement = connection.prepareStatement("""
                    INSERT INTO setting (name, value) VALUES (?, ?)
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value""")) {
                statement.setString(1, key);
                statement.setString(2, values.get(key));
                return statement.executeUpdate();
            } catch (SQLException | RuntimeException e) {
                unsaved.add(key);
                throw e;
            }
        });
    }

    /** Writes what is still to be written. To be called before the database is closed. */
    @Override
    public void close() {
        save();
    }
}
