package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.live.Away;
import dev.pitwall.engine.live.EngineRecord;
import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.MeasuredSpeed;
import dev.pitwall.engine.live.Mode;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView.Hold;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.vram.MeasuredLoad;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the engine of one site keeps, in the database. */
public final class SqliteEngine implements EngineRecord {
    private final EngineJson json = new EngineJson();
    private final Database database;
    private final String site;

    public SqliteEngine(Database database, String site) {
        this.database = database;
        this.site = site;
    }

    private record Row(Optional<String> decisions, Optional<String> loads, Optional<String> speeds, Optional<String> away) {
        private static final Row EMPTY = new Row(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    @Override
    public Kept read() throws TroubleException {
        return database.read(connection -> {
            Row row = row(connection);
            EngineJson.Decisions decisions = row.decisions().flatMap(json::decisions)
                    .orElse(new EngineJson.Decisions(Kept.NOTHING.mode(), Set.of(), List.of()));
            Map<ProviderId, Hold> holds = decisions.holds().stream()
                    .collect(Collectors.toMap(EngineJson.Held::provider, EngineJson.Held::hold));
            return new Kept(decisions.mode(), decisions.pins(), holds, row.loads().map(json::loads).orElse(List.of()),
                    row.speeds().map(json::speeds).orElse(List.of()), row.away().map(json::away).orElse(List.of()),
                    log(connection));
        });
    }

    private Row row(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT decisions, loads, speeds, away FROM engine WHERE site_id = ?")) {
            statement.setString(1, site);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? new Row(Optional.ofNullable(rows.getString(1)), Optional.ofNullable(rows.getString(2)),
                        Optional.ofNullable(rows.getString(3)), Optional.ofNullable(rows.getString(4)))
                        : Row.EMPTY;
            }
        }
    }

    private List<Entry> log(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT document FROM engine_entry WHERE site_id = ? ORDER BY number DESC LIMIT " + WallView.LOG)) {
            statement.setString(1, site);
            try (ResultSet rows = statement.executeQuery()) {
                List<Entry> log = new ArrayList<>();
                while (rows.next()) {
                    json.entry(rows.getString(1)).ifPresent(log::add);
                }
                return log;
            }
        }
    }

    @Override
    public void decided(Mode mode, Set<PlacementId> pins, Map<ProviderId, Hold> holds) throws TroubleException {
        keep("decisions", json.write(new EngineJson.Decisions(mode, pins, holds.entrySet().stream()
                .map(e -> new EngineJson.Held(e.getKey(), e.getValue())).toList())));
    }

    @Override
    public void measured(List<MeasuredLoad> loads) throws TroubleException {
        keep("loads", json.write(loads));
    }

    @Override
    public void speeds(List<MeasuredSpeed> speeds) throws TroubleException {
        keep("speeds", json.write(speeds));
    }

    @Override
    public void away(List<Away> away) throws TroubleException {
        keep("away", json.write(away));
    }

    /** @param column one of this class, never a person's word */
    private void keep(String column, String document) throws TroubleException {
        database.write(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("INSERT INTO engine (site_id, " + column
                    + ") VALUES (?, ?) ON CONFLICT (site_id) DO UPDATE SET " + column + " = excluded." + column)) {
                statement.setString(1, site);
                statement.setString(2, document);
                return statement.executeUpdate();
            }
        });
    }

    /** The newest stay; what no view shows any more goes. */
    @Override
    public void logged(Entry entry) throws TroubleException {
        database.write(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    INSERT INTO engine_entry (site_id, number, at, document) VALUES (?, ?, ?, ?)
                    ON CONFLICT (site_id, number) DO UPDATE SET at = excluded.at, document = excluded.document""")) {
                statement.setString(1, site);
                statement.setLong(2, entry.number());
                statement.setLong(3, entry.at().toEpochMilli());
                statement.setString(4, json.write(entry));
                statement.executeUpdate();
            }
            try (PreparedStatement statement = connection.prepareStatement(
                    "DELETE FROM engine_entry WHERE site_id = ? AND number <= ?")) {
                statement.setString(1, site);
                statement.setLong(2, entry.number() - WallView.LOG);
                return statement.executeUpdate();
            }
        });
    }
}
