package dev.pitwall.store;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The open database. All calls may come from any thread; they take turns. Every failure is a {@link TroubleException}
 * with one sentence.
 */
public final class Database implements AutoCloseable {

    /** How long a writer waits for another process. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Path file;
    private final Connection connection;
    private final ReentrantLock turn = new ReentrantLock();

    private Database(Path file, Connection connection) {
        this.file = file;
        this.connection = connection;
    }

    /** What is done with the connection in one go. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException, TroubleException;
    }

    /**
     * Opens the database of a data folder and brings it to this version's format.
     *
     * @throws TroubleException if it is damaged, locked, of a newer version, or cannot be read or written; the file is
     *                          left as it is
     */
    public static Database open(DataFolder folder) throws TroubleException {
        return open(folder.create().database(), PATIENCE);
    }

    static Database open(Path file, Duration patience) throws TroubleException {
        makeForOwnerOnly(file);
        try {
            Connection connection = connect(file, patience);
            try {
                prepare(connection, file, patience);
                return new Database(file, connection);
            } catch (SQLException | TroubleException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw trouble(file, e);
        }
    }

    /** SQLite gives its log and index files the rights of the database file. */
    private static void makeForOwnerOnly(Path file) throws TroubleException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            return;
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.RIGHTS, file.toString(),
                    "the database cannot be made (" + FileProblem.of(e) + ")",
                    "Make the folder writable, or set PITWALL_HOME to another one."), e);
        }
    }

    private static Connection connect(Path file, Duration patience) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(Math.toIntExact(patience.toMillis()));
        config.enforceForeignKeys(true);
        // The journal of changes must outlive a power cut, so every commit reaches the disk.
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        return config.createConnection("jdbc:sqlite:" + file);
    }

    private static void prepare(Connection connection, Path file, Duration patience) throws SQLException, TroubleException {
        useLog(connection, patience);
        try (Statement statement = connection.createStatement();
             ResultSet rows = statement.executeQuery("PRAGMA quick_check(1)")) {
            String answer = rows.getString(1);
            if (!"ok".equals(answer)) {
                throw new TroubleException(damaged(file));
            }
        }
        Migrations.ofThisVersion().apply(connection, file);
    }

    /** Changing to the write-ahead log answers "busy" at once while another process does the same, without waiting. */
    private static void useLog(Connection connection, Duration patience) throws SQLException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA journal_mode = WAL");
                return;
            } catch (SQLException e) {
                if (primary(e) != SQLiteErrorCode.SQLITE_BUSY.code || System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    <T> T read(Work<T> work) throws TroubleException {
        turn.lock();
        try {
            return work.on(connection);
        } catch (SQLException e) {
            throw trouble(file, e);
        } finally {
            turn.unlock();
        }
    }

    /** Does all of the work or none of it. It begins as a writer, so it never fails halfway for another writer. */
    <T> T write(Work<T> work) throws TroubleException {
        return read(open -> {
            try (Statement statement = open.createStatement()) {
                statement.execute("BEGIN IMMEDIATE");
                try {
                    T result = work.on(open);
                    statement.execute("COMMIT");
                    return result;
                } catch (SQLException | TroubleException | RuntimeException e) {
                    rollBack(statement, e);
                    throw e;
                }
            }
        });
    }

    /** After some errors (disk full, I/O) SQLite has already rolled back and refuses to do it twice. */
    static void rollBack(Statement statement, Exception cause) {
        try {
            statement.execute("ROLLBACK");
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    Path file() {
        return file;
    }

    /** Waits for the work in progress, then closes. */
    @Override
    public void close() {
        turn.lock();
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("SQLite could not close " + file, e);
        } finally {
            turn.unlock();
        }
    }

    /**
     * Renames the database and its log, so that the next {@link #open} starts empty. Only to be called when the person
     * has said so, and never while the database is open.
     *
     * @return where it is now
     */
    public static Path setAside(DataFolder folder, Instant now) throws TroubleException {
        Path file = folder.database();
        String mark = ".aside-" + DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC).format(now);
        Path aside = file.resolveSibling(file.getFileName() + mark);
        try {
            Files.move(file, aside);
            // SQLite finds a log by the name of its database; together they can still be repaired.
            for (String part : new String[] {"-wal", "-shm"}) {
                Path log = file.resolveSibling(file.getFileName() + part);
                if (Files.exists(log)) {
                    Files.move(log, aside.resolveSibling(aside.getFileName() + part));
                }
            }
            return aside;
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.RIGHTS, file.toString(),
                    "it could not be renamed (" + FileProblem.of(e) + ")",
                    "Close every other Pitwall and try again, or rename the file by hand."), e);
        }
    }

    private static Trouble damaged(Path file) {
        return new Trouble(Trouble.Kind.UNREADABLE, file.toString(), "the database is damaged",
                "Put back a copy of the file, or set it aside to start empty; nothing of it is deleted.");
    }

    private static TroubleException trouble(Path file, SQLException e) {
        return new TroubleException(switch (SQLiteErrorCode.getErrorCode(primary(e))) {
            case SQLITE_CORRUPT, SQLITE_NOTADB -> damaged(file);
            case SQLITE_BUSY, SQLITE_LOCKED -> new Trouble(Trouble.Kind.TIMEOUT, file.toString(),
                    "another program keeps the database locked", "Close the other program, then try again.");
            case SQLITE_FULL -> new Trouble(Trouble.Kind.REMOTE, file.toString(),
                    "the disk is full", "Free some space, then try again; nothing was half written.");
            case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH -> new Trouble(Trouble.Kind.RIGHTS,
                    file.toString(), "the database cannot be opened for writing",
                    "Give your user write access to the file and its folder, or set PITWALL_HOME to another folder.");
            case SQLITE_IOERR -> new Trouble(Trouble.Kind.REMOTE, file.toString(),
                    "the disk reported an error", "Look at the system's log for disk errors, then try again.");
            default -> new Trouble(Trouble.Kind.REMOTE, file.toString(),
                    "SQLite refused (" + SQLiteErrorCode.getErrorCode(primary(e)) + ")",
                    "Start Pitwall again; if it stays, set the database aside.");
        }, e);
    }

    /** The low byte of SQLite's extended code is the class of the error. */
    private static int primary(SQLException e) {
        return e.getErrorCode() & 0xff;
    }
}
