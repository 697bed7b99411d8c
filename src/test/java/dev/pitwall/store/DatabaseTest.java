package dev.pitwall.store;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import static dev.pitwall.store.TroubleAssert.troubleOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class DatabaseTest {
    private static final Instant NOW = Instant.parse("2026-11-30T01:02:03.004Z");

    @TempDir
    private Path temp;
    private DataFolder folder;

    @BeforeEach
    void folder() {
        folder = new DataFolder(temp);
    }

    private static void note(Database database, String name) throws TroubleException {
        database.write(connection -> execute(connection, "INSERT INTO setting VALUES ('" + name + "', '1')"));
    }

    private static boolean execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
        }
    }

    private static int number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            return rows.getInt(1);
        }
    }

    private static int settings(Database database) throws TroubleException {
        return database.read(connection -> number(connection, "SELECT count(*) FROM setting"));
    }

    private Connection raw() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.database());
    }

    private void filled(int rows) throws TroubleException {
        try (Database database = Database.open(folder)) {
            database.write(connection -> {
                for (int row = 0; row < rows; row++) {
                    execute(connection, "INSERT INTO setting VALUES ('" + "s".repeat(200) + row + "', '1')");
                }
                return true;
            });
        }
    }

    private List<String> filesThere() throws IOException {
        try (Stream<Path> files = Files.list(temp)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void keepsItsFilesForTheirOwnerOnly() throws Exception {
        try (Database database = Database.open(folder)) {
            note(database, "a");
            for (String name : List.of("pitwall.db", "pitwall.db-wal", "pitwall.db-shm")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve(name)))).isEqualTo("rw-------");
            }
        }
    }

    @Test
    void everyMigrationInTheFolderIsInTheListAndTheListIsInOrder() throws IOException {
        List<String> listed = Files.readAllLines(Path.of("resources/store/migrations"));
        try (Stream<Path> files = Files.list(Path.of("resources/store"))) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".sql")).sorted())
                    .isEqualTo(listed);
        }
    }

    @Test
    void workThatFailsHalfwayLeavesNothing() throws TroubleException {
        try (Database database = Database.open(folder)) {
            assertThatIllegalStateException().isThrownBy(() -> database.write(connection -> {
                execute(connection, "INSERT INTO setting VALUES ('a', '1')");
                throw new IllegalStateException("halfway");
            }));
            assertThat(settings(database)).isZero();
            note(database, "b");
            assertThat(settings(database)).isOne();
        }
    }

    @Test
    void twoThatOpenAndWriteAtOnceLoseNothing() throws Exception {
        int writers = 6;
        int each = 15;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> writing = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                String name = "writer " + writer;
                // Each with a connection of its own, as another process would have.
                writing.add(threads.submit(() -> {
                    try (Database database = Database.open(folder)) {
                        for (int i = 0; i < each; i++) {
                            note(database, name + " " + i);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> writer : writing) {
                writer.get();
            }
        }
        try (Database database = Database.open(folder)) {
            assertThat(settings(database)).isEqualTo(writers * each);
        }
    }

    @Test
    void aFileThatIsNoDatabaseIsSaidAndLeftAsItIs() throws IOException {
        Files.writeString(folder.database(), "not a database, but somebody's notes, ".repeat(100));
        String before = Files.readString(folder.database());

        Trouble trouble = troubleOf(() -> Database.open(folder));

        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.UNREADABLE);
        assertThat(trouble.sentence()).isEqualTo(folder.database() + ": the database is damaged");
        assertThat(Files.readString(folder.database())).isEqualTo(before);
    }

    @Test
    void aTruncatedDatabaseIsSaid() throws Exception {
        filled(500);
        try (RandomAccessFile file = new RandomAccessFile(folder.database().toFile(), "rw")) {
            file.setLength(file.length() / 2);
        }
        assertThat(troubleOf(() -> Database.open(folder)).what()).isEqualTo("the database is damaged");
    }

    @Test
    void aDatabaseWithAnOverwrittenPageIsSaid() throws Exception {
        filled(500);
        try (RandomAccessFile file = new RandomAccessFile(folder.database().toFile(), "rw")) {
            file.seek(file.length() / 2);
            file.write(new byte[9000]);
        }
        assertThat(troubleOf(() -> Database.open(folder)).what()).isEqualTo("the database is damaged");
    }

    @Test
    void settingADamagedOneAsideDeletesNothingAndTheNextStartIsEmpty() throws Exception {
        Files.writeString(folder.database(), "damaged ".repeat(1000));
        Files.writeString(temp.resolve("pitwall.db-wal"), "log");

        Path aside = Database.setAside(folder, NOW);

        assertThat(aside).hasFileName("pitwall.db.aside-20261130-010203-004");
        assertThat(Files.readString(aside)).startsWith("damaged");
        assertThat(Files.readString(temp.resolve(aside.getFileName() + "-wal"))).isEqualTo("log");
        try (Database database = Database.open(folder)) {
            assertThat(settings(database)).isZero();
        }
    }

    @Test
    void aDatabaseOfANewerVersionIsNotTouched() throws Exception {
        filled(1);
        try (Connection connection = raw()) {
            execute(connection, "PRAGMA user_version = 99");
        }
        Trouble trouble = troubleOf(() -> Database.open(folder));

        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.PROTOCOL);
        assertThat(trouble.what()).isEqualTo("it was written by a newer Pitwall (format 99, this one knows "
                + Migrations.ofThisVersion().latest() + ")");
        try (Connection connection = raw()) {
            assertThat(number(connection, "PRAGMA user_version")).isEqualTo(99);
        }
    }

    @Test
    void anotherProgramsDatabaseIsNotTouched() throws Exception {
        try (Connection connection = raw()) {
            execute(connection, "CREATE TABLE recipe (name TEXT)");
        }
        assertThat(troubleOf(() -> Database.open(folder)).what()).isEqualTo("this SQLite file was not made by Pitwall");
    }

    @Test
    void aLockedDatabaseIsSaidAfterTheWait() throws Exception {
        filled(1);
        try (Connection other = raw()) {
            execute(other, "PRAGMA locking_mode = EXCLUSIVE");
            execute(other, "BEGIN EXCLUSIVE");
            Trouble trouble = troubleOf(() -> Database.open(folder.database(), Duration.ofMillis(50)));
            assertThat(trouble.kind()).isEqualTo(Trouble.Kind.TIMEOUT);
            assertThat(trouble.what()).isEqualTo("another program keeps the database locked");
        }
        try (Database database = Database.open(folder)) {
            assertThat(settings(database)).isOne();
        }
    }

    @Test
    void aFolderInPlaceOfTheFileIsSaid() throws IOException {
        Files.createDirectory(folder.database());
        assertThat(troubleOf(() -> Database.open(folder)).kind()).isEqualTo(Trouble.Kind.RIGHTS);
    }

    @Test
    void nothingIsLeftBesideTheDatabaseOnceItIsClosed() throws Exception {
        filled(3);
        assertThat(filesThere()).containsExactly("pitwall.db");
    }
}
