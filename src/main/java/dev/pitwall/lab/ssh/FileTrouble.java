package dev.pitwall.lab.ssh;

import java.io.IOException;

/** A refused file operation, with the words of the C library. */
public final class FileTrouble extends IOException {
    private static final long serialVersionUID = 1L;

    /** The causes this lab's files know. */
    public enum Cause {
        NOT_FOUND("No such file or directory"), NOT_A_DIRECTORY("Not a directory"), IS_DIRECTORY("Is a directory"),
        DENIED("Permission denied"), LOOP("Too many levels of symbolic links"), EXISTS("File exists"),
        NOT_EMPTY("Directory not empty"), NOT_PERMITTED("Operation not permitted"), INVALID("Invalid argument"),
        READ_ONLY("Read-only file system"), NO_DEVICE("No such device"), BUSY("Device or resource busy"),
        WRONG_IOCTL("Inappropriate ioctl for device");

        private final String words;

        Cause(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    private final Cause cause;
    private final String path;

    public FileTrouble(Cause cause, String path) {
        super(path + ": " + cause.words());
        this.cause = cause;
        this.path = path;
    }

    public Cause why() {
        return cause;
    }

    public String path() {
        return path;
    }
}
