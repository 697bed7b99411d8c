package dev.pitwall.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Aim;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The journal, in the database. Every method that writes returns when the disk has it. */
public final class SqliteJournal implements Journal {
    private static final String RUN = "SELECT number, site_id, title, host, card_id, card, by_whom, undoes, started, "
            + "ended, state, note FROM run ";

    private final Database database;
    private final ChangeJson json = new ChangeJson();
    private final AimJson aims = new AimJson();

    public SqliteJournal(Database database) {
        this.database = database;
    }

    @Override
    public List<RunRecord> runs(String siteId, int limit) throws TroubleException {
        return select("WHERE site_id = ? ORDER BY number DESC LIMIT ?", siteId, limit);
    }

    @Override
    public Optional<RunRecord> run(long number) throws TroubleException {
        return select("WHERE number = ?", number).stream().findFirst();
    }

    @Override
    public List<Made> made(String siteId, String cardId, String step, int limit) throws TroubleException {
        return database.read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    SELECT run, position, step, document, c.state AS state, mark, message, c.started AS started,
                           c.ended AS ended
                    FROM change c JOIN run r ON r.number = c.run
                    WHERE r.site_id = ? AND r.card_id = ? AND c.step = ? ORDER BY run DESC, position DESC LIMIT ?""")) {
                fill(statement, siteId, cardId, step, limit);
                return made(statement);
            }
        });
    }

    private List<Made> made(PreparedStatement statement) throws SQLException, TroubleException {
        List<Made> made = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                long run = rows.getLong("run");
                made.add(new Made(run, change(run, rows)));
            }
        }
        return List.copyOf(made);
    }

    @Override
    public List<Made> last(String siteId, String step) throws TroubleException {
        return database.read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    SELECT run, position, step, document, state, mark, message, started, ended
                    FROM change WHERE step = ? AND run IN (
                        SELECT MAX(c.run) FROM change c JOIN run r ON r.number = c.run
                        WHERE r.site_id = ? AND r.card_id IS NOT NULL AND c.step = ?
                            AND c.state IN (?, ?, ?) GROUP BY r.card_id)
                    ORDER BY run DESC, position DESC""")) {
                fill(statement, step, siteId, step, ChangeRecord.State.DONE.name(), ChangeRecord.State.FAILED.name(),
                        ChangeRecord.State.UNDONE.name());
                return made(statement);
            }
        });
    }

    @Override
    public Aim aim(long run) throws TroubleException {
        return database.read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT aim FROM run WHERE number = ?")) {
                fill(statement, run);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? text(rows, "aim").map(aims::read).orElse(Aim.NONE) : Aim.NONE;
                }
            }
        });
    }

    @Override
    public List<RunRecord> unfinished(String siteId) throws TroubleException {
        return select("WHERE site_id = ? AND ended IS NULL ORDER BY number", siteId);
    }

    @Override
    public List<RunRecord> unfinished() throws TroubleException {
        return select("WHERE ended IS NULL ORDER BY number");
    }

    @Override
    public RunRecord begin(Opening opening) throws TroubleException {
        long number = database.write(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    INSERT INTO run (site_id, title, host, card_id, card, by_whom, undoes, aim, started, state)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""", Statement.RETURN_GENERATED_KEYS)) {
                fill(statement, opening.siteId(), opening.title(), opening.host(),
                        opening.card().map(RunRecord.CardRef::id).orElse(null),
                        opening.card().map(RunRecord.CardRef::name).orElse(null), opening.byWhom(),
                        opening.undoes().orElse(null), aims.write(opening.aim()), opening.at().toEpochMilli(), RunRecord.State.RUNNING.name());
                statement.executeUpdate();
                try (ResultSet keys = statement.getGeneratedKeys()) {
                    keys.next();
                    return keys.getLong(1);
                }
            }
        });
        return run(number).orElseThrow();
    }

    @Override
    public void add(long run, List<Intended> changes) throws TroubleException {
        database.write(connection -> {
            int position = 1 + lastPosition(connection, run);
            try (PreparedStatement statement = connection.prepareStatement(
                    "INSERT INTO change (run, position, step, document, state) VALUES (?, ?, ?, ?, ?)")) {
                for (Intended intended : changes) {
                    fill(statement, run, position++, intended.step(), json.write(intended.change()),
                            ChangeRecord.State.TO_DO.name());
                    statement.addBatch();
                }
                return statement.executeBatch();
            }
        });
    }

    private static int lastPosition(Connection connection, long run) throws SQLException {
        try (PreparedStatement statement =
                     connection.prepareStatement("SELECT coalesce(max(position), 0) FROM change WHERE run = ?")) {
            fill(statement, run);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.getInt(1);
            }
        }
    }

    @Override
    public void starting(long run, int position, Optional<String> mark, Instant at) throws TroubleException {
        update("UPDATE change SET state = ?, mark = ?, started = ? WHERE run = ? AND position = ?",
                ChangeRecord.State.RUNNING.name(), mark.orElse(null), at.toEpochMilli(), run, position);
    }

    @Override
    public void ended(long run, int position, ChangeRecord.State state, Optional<String> message, Instant at)
            throws TroubleException {
        update("UPDATE change SET state = ?, message = ?, ended = ? WHERE run = ? AND position = ?", state.name(),
                message.orElse(null), at.toEpochMilli(), run, position);
    }

    @Override
    public void close(long run, RunRecord.State state, Optional<String> note, Instant at) throws TroubleException {
        update("UPDATE run SET state = ?, note = coalesce(?, note), ended = coalesce(ended, ?) WHERE number = ?",
                state.name(), note.orElse(null), at.toEpochMilli(), run);
    }

    private void update(String sql, Object... values) throws TroubleException {
        database.write(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                fill(statement, values);
                return statement.executeUpdate();
            }
        });
    }

    private List<RunRecord> select(String where, Object... values) throws TroubleException {
        return database.read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(RUN + where)) {
                fill(statement, values);
                List<RunRecord> runs = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        runs.add(run(rows, changes(connection, rows.getLong("number"))));
                    }
                }
                return List.copyOf(runs);
            }
        });
    }

    private static void fill(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null) {
                statement.setNull(i + 1, Types.NULL);
            } else {
                statement.setObject(i + 1, values[i]);
            }
        }
    }

    private static RunRecord run(ResultSet row, List<ChangeRecord> changes) throws SQLException {
        Optional<String> cardId = text(row, "card_id");
        Optional<String> cardName = text(row, "card");
        long undoes = row.getLong("undoes");
        Optional<Long> undone = row.wasNull() ? Optional.empty() : Optional.of(undoes);
        return new RunRecord(row.getLong("number"), row.getString("site_id"), row.getString("title"),
                row.getString("host"), cardId.map(id -> new RunRecord.CardRef(id, cardName.orElse(id))),
                row.getString("by_whom"), undone, Instant.ofEpochMilli(row.getLong("started")), time(row, "ended"),
                RunRecord.State.valueOf(row.getString("state")), text(row, "note"), changes);
    }

    private List<ChangeRecord> changes(Connection connection, long run) throws SQLException, TroubleException {
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT position, step, document, state, mark, message, started, ended
                FROM change WHERE run = ? ORDER BY position""")) {
            fill(statement, run);
            List<ChangeRecord> changes = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    changes.add(change(run, rows));
                }
            }
            return changes;
        }
    }

    private ChangeRecord change(long run, ResultSet row) throws SQLException, TroubleException {
        int position = row.getInt("position");
        try {
            return new ChangeRecord(position, row.getString("step"), json.read(row.getString("document")),
                    ChangeRecord.State.valueOf(row.getString("state")), text(row, "mark"), text(row, "message"),
                    time(row, "started"), time(row, "ended"));
        } catch (JsonProcessingException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE,
                    "journal, run " + run + ", change " + position, "it was written by another version of Pitwall",
                    "Start that version to go on with the run or to take it back."), e);
        }
    }

    private static Optional<String> text(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getString(column));
    }

    private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }
}
