package dev.pitwall.link.ssh;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.Content;
import dev.pitwall.link.ssh.RemoteFiles.Facts;
import dev.pitwall.link.ssh.RemoteFiles.Refused;
import dev.pitwall.link.ssh.RemoteFiles.Refused.Why;

import java.io.IOException;
import java.util.Optional;

/** One file of a machine, read and given other bytes so that it is at no moment half a file. */
final class RemoteFile {
    /** What Pitwall reads or writes is configuration; it guards memory against anything else. */
    static final int MOST_BYTES = 4 << 20;

    private static final int FOLDER = 0755;
    private static final int PRIVATE_FOLDER = 0700;

    private final RemoteFiles files;
    private final String path;

    /** @param path absolute */
    RemoteFile(RemoteFiles files, String path) {
        this.files = files;
        this.path = path;
    }

    Content read() throws IOException, TroubleException, InterruptedException {
        Optional<Facts> facts = plain();
        try {
            return facts.isEmpty() ? Content.ABSENT : new Content.Bytes(files.read(path, MOST_BYTES));
        } catch (Refused e) {
            // It went between the two questions.
            if (e.why() == Why.ABSENT) {
                return Content.ABSENT;
            }
            throw e;
        }
    }

    void write(Content content, String copyBefore) throws IOException, TroubleException, InterruptedException {
        Optional<Facts> before = plain();
        String target = before.isPresent() ? files.real(path) : path;
        if (before.isPresent() && !copyBefore.isEmpty()) {
            makeFolders(parent(copyBefore), PRIVATE_FOLDER);
            put(copyBefore, files.read(target, MOST_BYTES), Facts.PRIVATE);
        }
        switch (content) {
            case Content.Absent absent -> files.remove(target);
            case Content.Bytes(byte[] bytes) -> {
                makeFolders(parent(target), FOLDER);
                put(target, bytes, before.orElse(Facts.NEW));
            }
        }
    }

    private Optional<Facts> plain() throws IOException, TroubleException, InterruptedException {
        Optional<Facts> facts = files.facts(path);
        if (facts.filter(f -> f.type() != Facts.Type.FILE).isPresent()) {
            throw new Refused(Why.OTHER, "it is no plain file");
        }
        return facts;
    }

    private void put(String target, byte[] bytes, Facts as) throws IOException, TroubleException, InterruptedException {
        String beside = beside(target);
        files.remove(beside);
        try {
            files.create(beside, bytes, as);
            files.replace(beside, target);
        } catch (IOException | TroubleException e) {
            sweep(beside, e);
            throw e;
        }
    }

    /** The other file is of no use any more; that it cannot be removed is no news after the failure before. */
    private void sweep(String beside, Exception failure) throws InterruptedException {
        try {
            files.remove(beside);
        } catch (IOException | TroubleException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * A name that modprobe, systemd, udev and update-grub pass over: hidden, and ending in none of {@code .conf},
     * {@code .cfg} and {@code .rules}. It is always the same, so that one that a dead run left is found.
     */
    private static String beside(String target) {
        return parent(target) + "/." + target.substring(target.lastIndexOf('/') + 1) + ".pitwall-new";
    }

    private void makeFolders(String folder, int mode) throws IOException, TroubleException, InterruptedException {
        if (folder.isEmpty() || files.facts(folder).isPresent()) {
            return;
        }
        makeFolders(parent(folder), mode);
        files.makeFolder(folder, mode);
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }
}
