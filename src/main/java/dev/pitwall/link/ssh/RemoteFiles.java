package dev.pitwall.link.ssh;

import dev.pitwall.card.TroubleException;

import java.io.IOException;
import java.util.Optional;

/** The files of one machine, one step at a time. Refusals of single files are {@link Refused}. */
interface RemoteFiles extends AutoCloseable {

    /** What is at a path, links followed; empty if there is nothing. */
    Optional<Facts> facts(String path) throws IOException, TroubleException, InterruptedException;

    /** Where the links of a path lead in the end; what is there must exist. */
    String real(String path) throws IOException, TroubleException, InterruptedException;

    /** @throws Refused also if it is longer than {@code cap} bytes */
    byte[] read(String path, int cap) throws IOException, TroubleException, InterruptedException;

    /** Makes a folder under one that is there. */
    void makeFolder(String path, int mode) throws IOException, TroubleException, InterruptedException;

    /** Makes a file where there is none, and has it on the disk when this returns. */
    void create(String path, byte[] bytes, Facts as) throws IOException, TroubleException, InterruptedException;

    /** Moves a file over another one in one step, as {@code rename(2)} does. */
    void replace(String from, String to) throws IOException, TroubleException, InterruptedException;

    /** Removes a file; nothing happens where there is none. */
    void remove(String path) throws IOException, TroubleException, InterruptedException;

    @Override
    void close();

    /**
     * What is at a path.
     *
     * @param mode permission bits, {@code 0} to {@code 07777}
     */
    record Facts(Type type, int mode, int uid, int gid) {
        static final int PERMISSIONS = 07777;

        /** A new file of root's. */
        static final Facts NEW = new Facts(Type.FILE, 0644, 0, 0);

        /** A file of root's that is nobody else's to read. */
        static final Facts PRIVATE = new Facts(Type.FILE, 0600, 0, 0);

        enum Type { FILE, FOLDER, OTHER }

        /** From {@code st_mode} and the owner. */
        static Facts of(int mode, int uid, int gid) {
            Type type = switch (mode & 0170000) {
                case 0100000 -> Type.FILE;
                case 0040000 -> Type.FOLDER;
                default -> Type.OTHER;
            };
            return new Facts(type, mode & PERMISSIONS, uid, gid);
        }
    }

    /** The machine has refused one file. */
    final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        private final Why why;

        enum Why { ABSENT, NOT_ALLOWED, OTHER }

        /** @param said the machine's own words, one line */
        Refused(Why why, String said) {
            super(said);
            this.why = why;
        }

        Why why() {
            return why;
        }
    }
}
