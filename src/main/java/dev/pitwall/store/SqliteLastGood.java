package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Connection.Kind;
import dev.pitwall.site.LastGood;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.Optional;

/** The last good answers, in the database. */
public final class SqliteLastGood implements LastGood {
    private final Database database;

    public SqliteLastGood(Database database) {
        this.database = database;
    }

    @Override
    public void keep(String siteId, Kind kind, String source, Answer answer) throws TroubleException {
        database.write(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    INSERT INTO observation (site_id, kind, source, at, document) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (site_id, kind, source) DO UPDATE SET at = excluded.at, document = excluded.document
                    WHERE excluded.at >= observation.at""")) {
                statement.setString(1, siteId);
                statement.setString(2, kind.name());
                statement.setString(3, source);
                statement.setLong(4, answer.at().toEpochMilli());
                statement.setString(5, answer.json());
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public Optional<Answer> of(String siteId, Kind kind, String source) throws TroubleException {
        return database.read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT document, at FROM observation WHERE site_id = ? AND kind = ? AND source = ?")) {
                statement.setString(1, siteId);
                statement.setString(2, kind.name());
                statement.setString(3, source);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next()
                            ? Optional.of(new Answer(rows.getString(1), Instant.ofEpochMilli(rows.getLong(2))))
                            : Optional.empty();
                }
            }
        });
    }

    @Override
    public void forget(String siteId) throws TroubleException {
        database.write(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("DELETE FROM observation WHERE site_id = ?")) {
                statement.setString(1, siteId);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public void forgetBefore(Instant time) throws TroubleException {
        database.write(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("DELETE FROM observation WHERE at < ?")) {
                statement.setLong(1, time.toEpochMilli());
                return statement.executeUpdate();
            }
        });
    }
}
