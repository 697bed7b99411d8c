package dev.pitwall.lab.ssh;

import org.apache.sshd.sftp.server.FileHandle;
import org.apache.sshd.sftp.server.SftpFileSystemAccessor;
import org.apache.sshd.sftp.server.SftpSubsystemProxy;

import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Opens files through byte channels: the SFTP server's own way wants a file of the local disk. */
final class SftpAccess implements SftpFileSystemAccessor {
    @Override
    public SeekableByteChannel openFile(SftpSubsystemProxy subsystem, FileHandle handle, Path file, String name,
                                        Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        boolean isNew = !Files.exists(file);
        SeekableByteChannel channel = Files.newByteChannel(file, options);
        for (FileAttribute<?> attribute : attributes) {
            if (isNew && attribute.name().endsWith("permissions")) {
                @SuppressWarnings("unchecked")
                Set<PosixFilePermission> permissions = (Set<PosixFilePermission>) attribute.value();
                Files.setPosixFilePermissions(file, permissions);
            }
        }
        return channel;
    }

    /** What is written to a machine is in the world at once. */
    @Override
    public void syncFileData(SftpSubsystemProxy subsystem, FileHandle handle, Path file, String name, Channel channel) {
        // Nothing is kept back.
    }
}
