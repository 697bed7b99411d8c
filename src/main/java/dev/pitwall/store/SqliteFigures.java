package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.figure.Figure;
import dev.pitwall.engine.figure.FigureHistory;
import dev.pitwall.engine.figure.Grain;
import dev.pitwall.engine.figure.Point;
import dev.pitwall.engine.figure.Sample;
import dev.pitwall.engine.figure.Series;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The curves of one site, in the database. */
public final class SqliteFigures implements FigureHistory {
    private static final String MINE = "series IN (SELECT id FROM figure_series WHERE site_id = ?)";

    private final Database database;
    private final String site;

    public SqliteFigures(Database database, String site) {
        this.database = database;
        this.site = site;
    }

    @Override
    public void add(List<Sample> samples, Instant now) throws TroubleException {
        database.write(connection -> {
            insert(connection, samples);
            for (Grain grain : Grain.values()) {
                thin(connection, grain, grain.end(now));
            }
            return forgetEmpty(connection);
        });
    }

    private void insert(Connection connection, List<Sample> samples) throws SQLException {
        Map<Series, Long> ids = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                INSERT OR REPLACE INTO figure_point (series, grain, at, samples, mean, least, most)
                VALUES (?, 0, ?, 1, ?3, ?3, ?3)""")) {
            for (Sample sample : samples) {
                Long id = ids.get(sample.series());
                if (id == null) {
                    id = id(connection, sample.series());
                    ids.put(sample.series(), id);
                }
                statement.setLong(1, id);
                statement.setLong(2, sample.at().toEpochMilli());
                statement.setDouble(3, sample.value());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private long id(Connection connection, Series series) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                INSERT INTO figure_series (site_id, subject, figure) VALUES (?, ?, ?)
                ON CONFLICT (site_id, subject, figure) DO UPDATE SET subject = excluded.subject RETURNING id""")) {
            statement.setString(1, site);
            statement.setString(2, series.subject());
            statement.setString(3, series.figure().name());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.getLong(1);
            }
        }
    }

    private void thin(Connection connection, Grain grain, Instant end) throws SQLException {
        Optional<Grain> next = grain.next();
        if (next.isPresent()) {
            coarsen(connection, grain, next.get(), end);
        }
        try (PreparedStatement statement = connection.prepareStatement(
                "DELETE FROM figure_point WHERE grain = ? AND at < ? AND " + MINE)) {
            statement.setLong(1, grain.width().toMillis());
            statement.setLong(2, end.toEpochMilli());
            statement.setString(3, site);
            statement.executeUpdate();
        }
    }

    /** A coarse point may be there already, of samples that came late: then the two become one. */
    private void coarsen(Connection connection, Grain grain, Grain next, Instant end) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                INSERT INTO figure_point (series, grain, at, samples, mean, least, most)
                SELECT series, ?1, at / ?1 * ?1, sum(samples), sum(mean * samples) / sum(samples), min(least), max(most)
                FROM figure_point WHERE grain = ?2 AND at < ?3
                    AND series IN (SELECT id FROM figure_series WHERE site_id = ?4)
                GROUP BY series, at / ?1
                ON CONFLICT (series, grain, at) DO UPDATE SET
                    mean = (mean * samples + excluded.mean * excluded.samples) / (samples + excluded.samples),
                    samples = samples + excluded.samples,
                    least = min(least, excluded.least), most = max(most, excluded.most)""")) {
            statement.setLong(1, next.width().toMillis());
            statement.setLong(2, grain.width().toMillis());
            statement.setLong(3, end.toEpochMilli());
            statement.setString(4, site);
            statement.executeUpdate();
        }
    }

    /** Curves of cards that are gone for longer than anything is kept. */
    private int forgetEmpty(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                DELETE FROM figure_series WHERE site_id = ?
                    AND NOT EXISTS (SELECT 1 FROM figure_point WHERE series = figure_series.id)""")) {
            statement.setString(1, site);
            return statement.executeUpdate();
        }
    }

    @Override
    public Map<Series, List<Point>> since(Instant from) throws TroubleException {
        return database.read(connection -> {
            Map<Series, List<Point>> all = new HashMap<>();
            try (PreparedStatement statement = connection.prepareStatement("""
                    SELECT subject, figure, at, mean, least, most FROM figure_point JOIN figure_series ON series = id
                    WHERE site_id = ? AND at >= ? ORDER BY at""")) {
                statement.setString(1, site);
                statement.setLong(2, from.toEpochMilli());
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        Optional<Figure> figure = figure(rows.getString(2));
                        if (figure.isPresent()) {
                            all.computeIfAbsent(new Series(rows.getString(1), figure.get()), _ -> new ArrayList<>())
                                    .add(point(rows, 3));
                        }
                    }
                }
            }
            return all;
        });
    }

    /** What another version kept may be of a kind that this one does not know. */
    private static Optional<Figure> figure(String name) {
        for (Figure figure : Figure.values()) {
            if (figure.name().equals(name)) {
                return Optional.of(figure);
            }
        }
        return Optional.empty();
    }

    @Override
    public List<Point> since(Series series, Instant from) throws TroubleException {
        return database.read(connection -> {
            List<Point> points = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement("""
                    SELECT at, mean, least, most FROM figure_point JOIN figure_series ON series = id
                    WHERE site_id = ? AND subject = ? AND figure = ? AND at >= ? ORDER BY at""")) {
                statement.setString(1, site);
                statement.setString(2, series.subject());
                statement.setString(3, series.figure().name());
                statement.setLong(4, from.toEpochMilli());
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        points.add(point(rows, 1));
                    }
                }
            }
            return points;
        });
    }

    private static Point point(ResultSet rows, int first) throws SQLException {
        return new Point(Instant.ofEpochMilli(rows.getLong(first)), rows.getDouble(first + 1), rows.getDouble(first + 2),
                rows.getDouble(first + 3));
    }
}
