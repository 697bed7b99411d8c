package dev.pitwall.link.ssh;

import dev.pitwall.card.TroubleException;
import dev.pitwall.link.ssh.RemoteFiles.Refused.Why;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClient.Attributes;
import org.apache.sshd.sftp.client.SftpClient.CloseableHandle;
import org.apache.sshd.sftp.client.SftpClient.OpenMode;
import org.apache.sshd.sftp.client.extensions.openssh.OpenSSHFsyncExtension;
import org.apache.sshd.sftp.client.extensions.openssh.OpenSSHPosixRenameExtension;
import org.apache.sshd.sftp.common.SftpConstants;
import org.apache.sshd.sftp.common.SftpException;

import java.io.IOException;
import java.io.InputStream;
import java.util.EnumSet;
import java.util.Optional;

/** Files over SFTP. What the server's SFTP does not offer is done by a command of its shell. */
final class SftpFiles implements RemoteFiles {
    private static final int WRITE_BYTES = 16 << 10;
    /** As the kernel follows. */
    private static final int MOST_LINKS = 40;

    private final SftpClient client;
    private final ShellFiles shell;

    SftpFiles(SftpClient client, ShellFiles shell) {
        this.client = client;
        this.shell = shell;
    }

    @FunctionalInterface
    private interface Work<T> {
        T run() throws IOException;
    }

    private static <T> T told(Work<T> work) throws IOException {
        try {
            return work.run();
        } catch (SftpException e) {
            throw new Refused(switch (e.getStatus()) {
                case SftpConstants.SSH_FX_NO_SUCH_FILE, SftpConstants.SSH_FX_NO_SUCH_PATH,
                     SftpConstants.SSH_FX_NOT_A_DIRECTORY -> Why.ABSENT;
                case SftpConstants.SSH_FX_PERMISSION_DENIED, SftpConstants.SSH_FX_WRITE_PROTECT -> Why.NOT_ALLOWED;
                default -> Why.OTHER;
            }, e.getMessage() == null ? "" : e.getMessage());
        }
    }

    @Override
    public Optional<Facts> facts(String path) throws IOException {
        try {
            Attributes a = told(() -> client.stat(path));
            return Optional.of(Facts.of(a.getPermissions(), a.getUserId(), a.getGroupId()));
        } catch (Refused e) {
            if (e.why() == Why.ABSENT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Link by link: what SSH_FXP_REALPATH does with links is left to the server. */
    @Override
    public String real(String path) throws IOException {
        String at = path;
        for (int links = 0; links < MOST_LINKS; links++) {
            String here = at;
            if (!told(() -> client.lstat(here)).isSymbolicLink()) {
                return at;
            }
            String target = told(() -> client.readLink(here));
            at = target.startsWith("/") ? target : at.substring(0, at.lastIndexOf('/') + 1) + target;
        }
        throw new Refused(Why.OTHER, "its links go round in a circle");
    }

    /** Files of the kernel have no length before they are read, so it is read to the end. */
    @Override
    public byte[] read(String path, int cap) throws IOException {
        byte[] bytes = told(() -> {
            try (InputStream in = client.read(path)) {
                return in.readNBytes(cap + 1);
            }
        });
        if (bytes.length > cap) {
            throw new Refused(Why.OTHER, "longer than " + cap + " bytes");
        }
        return bytes;
    }

    @Override
    public void makeFolder(String path, int mode) throws IOException {
        told(() -> {
            client.mkdir(path);
            client.setStat(path, new Attributes().perms(mode));
            return path;
        });
    }

    @Override
    public void create(String path, byte[] bytes, Facts as) throws IOException, TroubleException, InterruptedException {
        boolean flushed = told(() -> {
            try (CloseableHandle file = client.open(path,
                    EnumSet.of(OpenMode.Write, OpenMode.Create, OpenMode.Exclusive))) {
                // Before the first byte, so that nobody reads what only the old file's readers may.
                own(file, as);
                for (int at = 0; at < bytes.length; at += WRITE_BYTES) {
                    client.write(file, at, bytes, at, Math.min(WRITE_BYTES, bytes.length - at));
                }
                return flush(file);
            }
        });
        if (!flushed) {
            shell.flush(path);
        }
    }

    private void own(CloseableHandle file, Facts as) throws IOException {
        Attributes now = client.stat(file);
        if (now.getUserId() != as.uid() || now.getGroupId() != as.gid()) {
            client.setStat(file, new Attributes().owner(as.uid(), as.gid()));
        }
        client.setStat(file, new Attributes().perms(as.mode()));
    }

    private boolean flush(CloseableHandle file) throws IOException {
        OpenSSHFsyncExtension fsync = client.getExtension(OpenSSHFsyncExtension.class);
        if (fsync == null || !fsync.isSupported()) {
            return false;
        }
        fsync.fsync(file);
        return true;
    }

    /** SFTP's own rename refuses where there is a file already. */
    @Override
    public void replace(String from, String to) throws IOException, TroubleException, InterruptedException {
        OpenSSHPosixRenameExtension rename = client.getExtension(OpenSSHPosixRenameExtension.class);
        if (rename == null || !rename.isSupported()) {
            shell.replace(from, to);
            return;
        }
        told(() -> {
            rename.posixRename(from, to);
            return to;
        });
    }

    @Override
    public void remove(String path) throws IOException {
        try {
            told(() -> {
                client.remove(path);
                return path;
            });
        } catch (Refused e) {
            if (e.why() != Why.ABSENT) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            // The channel is gone with its session.
        }
    }
}
