package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The journal, in the database. */
public final class SqliteJournal implements Journal {
    private static final String RUN =
            "SELECT number, site_id, title, host, card_id, card, by_whom, started, ended, state, note FROM run ";

    private final Database database;

    public SqliteJournal(Database database) {
        this.database = database;
    }

    @Override
    public List<RunRecord> runs(String siteId, int limit) throws TroubleException {
        return database.read(connection -> {
            try (PreparedStatement statement =
                         connection.prepareStatement(RUN + "WHERE site_id = ? ORDER BY number DESC LIMIT ?")) {
                statement.setString(1, siteId);
                statement.setInt(2, limit);
                return runs(connection, statement);
            }
        });
    }

    @Override
    public Optional<RunRecord> run(long number) throws TroubleException {
        return database.read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(RUN + "WHERE number = ?")) {
                statement.setLong(1, number);
                return runs(connection, statement).stream().findFirst();
            }
        });
    }

    private static List<RunRecord> runs(Connection connection, PreparedStatement statement) throws SQLException {
        List<RunRecord> runs = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                runs.add(run(rows, changes(connection, rows.getLong("number"))));
            }
        }
        return List.copyOf(runs);
    }

    private static RunRecord run(ResultSet row, List<ChangeRecord> changes) throws SQLException {
        Optional<String> cardId = text(row, "card_id");
        Optional<String> cardName = text(row, "card");
        return new RunRecord(row.getLong("number"), row.getString("site_id"), row.getString("title"),
                row.getString("host"), cardId.map(id -> new RunRecord.CardRef(id, cardName.orElse(id))),
                row.getString("by_whom"), Instant.ofEpochMilli(row.getLong("started")), time(row, "ended"),
                RunRecord.State.valueOf(row.getString("state")), text(row, "note"), changes);
    }

    private static List<ChangeRecord> changes(Connection connection, long run) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT position, kind, target, summary, risk, state, message, started, ended
                FROM change WHERE run = ? ORDER BY position""")) {
            statement.setLong(1, run);
            List<ChangeRecord> changes = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    changes.add(change(rows));
                }
            }
            return changes;
        }
    }

    private static ChangeRecord change(ResultSet row) throws SQLException {
        return new ChangeRecord(row.getInt("position"), ChangeRecord.Kind.valueOf(row.getString("kind")),
                row.getString("target"), row.getString("summary"), ChangeRecord.Risk.valueOf(row.getString("risk")),
                ChangeRecord.State.valueOf(row.getString("state")), text(row, "message"), time(row, "started"),
                time(row, "ended"));
    }

    private static Optional<String> text(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getString(column));
    }

    private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }
}
