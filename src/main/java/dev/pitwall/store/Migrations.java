package dev.pitwall.store;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Brings a database to the schema of this version. The steps are the SQL files named in {@code /store/migrations}, in
 * order; the database's {@code user_version} counts the steps it has had.
 */
final class Migrations {
    /** "PITW": tells a Pitwall database from any other SQLite file. */
    static final int APPLICATION = 0x50495457;

    private final List<String> steps;

    private Migrations(List<String> steps) {
        this.steps = List.copyOf(steps);
    }

    static Migrations ofThisVersion() {
        return new Migrations(text("migrations").lines().filter(line -> !line.isBlank()).map(Migrations::text).toList());
    }

    private static String text(String name) {
        try (InputStream in = Objects.requireNonNull(Migrations.class.getResourceAsStream("/store/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The schema's number in this version. */
    int latest() {
        return steps.size();
    }

    void apply(Connection connection, Path file) throws SQLException, TroubleException {
        int version = number(connection, "PRAGMA user_version");
        refuseForeign(connection, file, version);
        if (version == latest()) {
            return;
        }
        if (version > 0) {
            keepCopy(connection, file, version);
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            try {
                // Read again under the lock: another Pitwall may have done it in the meantime.
                for (int step = number(connection, "PRAGMA user_version"); step < latest(); step++) {
                    run(statement, steps.get(step));
                }
                statement.execute("PRAGMA application_id = " + APPLICATION);
                statement.execute("PRAGMA user_version = " + latest());
                statement.execute("COMMIT");
            } catch (SQLException e) {
                Database.rollBack(statement, e);
                throw e;
            }
        }
    }

    private void refuseForeign(Connection connection, Path file, int version) throws SQLException, TroubleException {
        boolean empty = number(connection, "SELECT count(*) FROM sqlite_schema") == 0;
        if (!empty && number(connection, "PRAGMA application_id") != APPLICATION) {
            throw new TroubleException(new Trouble(Trouble.Kind.PROTOCOL, file.toString(),
                    "this SQLite file was not made by Pitwall",
                    "Set PITWALL_HOME to another folder, or move the file away."));
        }
        if (version > latest()) {
            throw new TroubleException(new Trouble(Trouble.Kind.PROTOCOL, file.toString(),
                    "it was written by a newer Pitwall (format " + version + ", this one knows " + latest() + ")",
                    "Start the newer Pitwall, or set PITWALL_HOME to another folder to start this one beside it."));
        }
    }

    private static void keepCopy(Connection connection, Path file, int version) throws SQLException {
        Path copy = file.resolveSibling(file.getFileName() + ".format-" + version);
        if (Files.exists(copy)) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement("VACUUM INTO ?")) {
            statement.setString(1, copy.toString());
            statement.execute();
        }
    }

    private static void run(Statement statement, String step) throws SQLException {
        List<String> lines = step.lines().filter(line -> !line.stripLeading().startsWith("--")).toList();
        for (String sql : Arrays.asList(String.join("\n", lines).split(";"))) {
            if (!sql.isBlank()) {
                statement.execute(sql);
            }
        }
    }

    private static int number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            return rows.getInt(1);
        }
    }
}
