package dev.pitwall.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Says in plain words why a file could not be read or written. */
public final class FileProblem {
    private FileProblem() {
    }

    /** For example {@code permission denied}, {@code no space left on device}. */
    public static String of(IOException problem) {
        return switch (problem) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException missing -> missing.getFile() + " does not exist";
            case FileAlreadyExistsException there -> there.getFile() + " is there and is not a folder";
            case FileSystemException other -> Optional.ofNullable(other.getReason()).map(FileProblem::lowerFirst)
                    .orElse("the file system refused it");
            default -> "the file system refused it";
        };
    }

    private static String lowerFirst(String reason) {
        return reason.isEmpty() ? reason : Character.toLowerCase(reason.charAt(0)) + reason.substring(1);
    }
}
