package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.FileView.Follow;
import dev.pitwall.lab.ssh.MachineFileSystem.Root;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Attributes of one path. Everything belongs to root. */
final class MachineAttributeView implements PosixFileAttributeView {
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;
    private static final int LINK = 0120000;

    private final MachineFiles files;
    private final String path;
    private final Follow follow;

    MachineAttributeView(MachineFiles files, String path, Follow follow) {
        this.files = files;
        this.path = path;
        this.follow = follow;
    }

    @Override
    public String name() {
        return "posix";
    }

    @Override
    public PosixFileAttributes readAttributes() throws IOException {
        FileView view = files.view();
        Entry entry = view.entry(path, follow);
        return new Attributes(entry, FileTime.from(view.changed(view.resolve(path, follow))), path.hashCode());
    }

    Map<String, Object> asMap() throws IOException {
        PosixFileAttributes a = readAttributes();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("size", a.size());
        map.put("isRegularFile", a.isRegularFile());
        map.put("isDirectory", a.isDirectory());
        map.put("isSymbolicLink", a.isSymbolicLink());
        map.put("isOther", false);
        map.put("lastModifiedTime", a.lastModifiedTime());
        map.put("lastAccessTime", a.lastAccessTime());
        map.put("creationTime", a.creationTime());
        map.put("permissions", a.permissions());
        map.put("owner", a.owner());
        map.put("group", a.group());
        map.put("uid", 0);
        map.put("gid", 0);
        map.put("nlink", 1);
        map.put("mode", mode(a.permissions()) | type(a));
        return map;
    }

    private static int type(PosixFileAttributes a) {
        return a.isDirectory() ? DIRECTORY : a.isSymbolicLink() ? LINK : REGULAR;
    }

    @Override
    public void setPermissions(Set<PosixFilePermission> permissions) throws IOException {
        files.chmod(path, mode(permissions));
    }

    @Override
    public void setTimes(FileTime modified, FileTime accessed, FileTime created) throws IOException {
        if (modified != null) {
            files.touched(path, modified.toInstant());
        }
    }

    @Override
    public void setGroup(GroupPrincipal group) {
        // There is one group only.
    }

    @Override
    public UserPrincipal getOwner() {
        return Root.ROOT;
    }

    @Override
    public void setOwner(UserPrincipal owner) {
        // There is one user only.
    }

    static int mode(Set<PosixFilePermission> permissions) {
        int mode = 0;
        for (PosixFilePermission p : permissions) {
            mode |= 0400 >> p.ordinal();
        }
        return mode;
    }

    static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (PosixFilePermission p : PosixFilePermission.values()) {
            if ((mode & (0400 >> p.ordinal())) != 0) {
                permissions.add(p);
            }
        }
        return permissions;
    }

    private record Attributes(Entry entry, FileTime time, Object fileKey) implements PosixFileAttributes {
        @Override
        public UserPrincipal owner() {
            return Root.ROOT;
        }

        @Override
        public GroupPrincipal group() {
            return Root.ROOT;
        }

        @Override
        public Set<PosixFilePermission> permissions() {
            return MachineAttributeView.permissions(entry.mode());
        }

        @Override
        public FileTime lastModifiedTime() {
            return time;
        }

        @Override
        public FileTime lastAccessTime() {
            return time;
        }

        @Override
        public FileTime creationTime() {
            return time;
        }

        @Override
        public boolean isRegularFile() {
            return switch (entry) {
                case Entry.Regular r -> true;
                case Entry.Directory d -> false;
                case Entry.Link l -> false;
            };
        }

        @Override
        public boolean isDirectory() {
            return switch (entry) {
                case Entry.Directory d -> true;
                case Entry.Regular r -> false;
                case Entry.Link l -> false;
            };
        }

        @Override
        public boolean isSymbolicLink() {
            return switch (entry) {
                case Entry.Link l -> true;
                case Entry.Regular r -> false;
                case Entry.Directory d -> false;
            };
        }

        @Override
        public boolean isOther() {
            return false;
        }

        @Override
        public long size() {
            return FileView.size(entry);
        }
    }
}
