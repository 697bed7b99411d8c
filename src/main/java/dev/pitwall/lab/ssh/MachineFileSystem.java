package dev.pitwall.lab.ssh;

import org.apache.sshd.common.file.util.BaseFileSystem;

import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import java.util.Set;

/** A machine's files as a Java file system, for the SFTP server. */
final class MachineFileSystem extends BaseFileSystem<MachinePath> {
    private final MachineFiles files;

    MachineFileSystem(MachineFiles files) {
        super(new MachineFileProvider());
        this.files = files;
    }

    MachineFiles files() {
        return files;
    }

    @Override
    protected MachinePath create(String root, List<String> names) {
        return new MachinePath(this, root, names);
    }

    @Override
    public MachinePath getDefaultDir() {
        return getPath("/root");
    }

    @Override
    public void close() {
        // Nothing is held open.
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic", "posix", "unix", "owner");
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return new UserPrincipalLookupService() {
            @Override
            public UserPrincipal lookupPrincipalByName(String name) {
                return Root.ROOT;
            }

            @Override
            public GroupPrincipal lookupPrincipalByGroupName(String group) {
                return Root.ROOT;
            }
        };
    }

    /** The only user and group of this lab's machines. */
    enum Root implements GroupPrincipal {
        ROOT;

        @Override
        public String getName() {
            return "root";
        }

        @Override
        public String toString() {
            return "root";
        }
    }
}
