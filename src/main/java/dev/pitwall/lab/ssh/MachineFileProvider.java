package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.FileView.Follow;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Translates Java's file calls to {@link MachineFiles}; only what the SFTP server uses. */
final class MachineFileProvider extends FileSystemProvider {

    /** A file operation whose refusal is told in Java's own exceptions. */
    private interface Work<T> {
        T run() throws IOException;
    }

    @Override
    public String getScheme() {
        return "lab";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
        throw new UnsupportedOperationException("a machine's files are opened by its SSH server only");
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw new UnsupportedOperationException("a machine's files are opened by its SSH server only");
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException("a machine's files are opened by its SSH server only");
    }

    @Override
    public SeekableByteChannel newByteChannel(Path path, Set<? extends OpenOption> options,
                                              FileAttribute<?>... attributes) throws IOException {
        MachineFiles files = files(path);
        String text = text(path);
        boolean writes = options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
        return told(() -> {
            FileView view = files.view();
            boolean there = view.exists(text);
            if (there && options.contains(StandardOpenOption.CREATE_NEW)) {
                throw new FileAlreadyExistsException(text);
            }
            if (!there && !(writes && (options.contains(StandardOpenOption.CREATE)
                    || options.contains(StandardOpenOption.CREATE_NEW)))) {
                throw new NoSuchFileException(text);
            }
            byte[] content = there && !options.contains(StandardOpenOption.TRUNCATE_EXISTING) ? view.read(text)
                    : new byte[0];
            if (writes && !files.isKernelFile(text)) {
                files.write(text, content);
            }
            return new MachineChannel(files, text, content, writes, options.contains(StandardOpenOption.APPEND));
        });
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path dir, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        List<Path> children = new ArrayList<>();
        for (String name : told(() -> files(dir).view().names(text(dir)))) {
            Path child = dir.resolve(name);
            if (filter.accept(child)) {
                children.add(child);
            }
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return children.iterator();
            }

            @Override
            public void close() {
                // Nothing is held open.
            }
        };
    }

    @Override
    public void createDirectory(Path dir, FileAttribute<?>... attributes) throws IOException {
        told(() -> {
            files(dir).makeDirectory(text(dir), 0755);
            return null;
        });
    }

    @Override
    public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes) throws IOException {
        told(() -> {
            files(link).makeLink(text(link), target.toString());
            return null;
        });
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
        return told(() -> switch (files(link).view().entry(text(link), Follow.NO)) {
            case Entry.Link l -> link.getFileSystem().getPath(l.target());
            case Entry.Directory d -> throw new NotLinkException(link.toString());
            case Entry.Regular r -> throw new NotLinkException(link.toString());
        });
    }

    @Override
    public void delete(Path path) throws IOException {
        told(() -> {
            files(path).remove(text(path));
            return null;
        });
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        told(() -> {
            files(target).write(text(target), files(source).view().read(text(source)));
            return null;
        });
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        boolean replaces = Arrays.asList(options).contains(StandardCopyOption.REPLACE_EXISTING)
                || Arrays.asList(options).contains(StandardCopyOption.ATOMIC_MOVE);
        told(() -> {
            if (!replaces && files(target).view().exists(text(target))) {
                throw new FileAlreadyExistsException(target.toString());
            }
            files(source).rename(text(source), text(target));
            return null;
        });
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return text(path).equals(text(other));
    }

    @Override
    public boolean isHidden(Path path) {
        return path.getFileName() != null && path.getFileName().toString().startsWith(".");
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        throw new FileSystemException(path.toString(), null, "this lab's machines report no disk space");
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        told(() -> files(path).view().entry(text(path), Follow.YES));
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        MachineAttributeView view = new MachineAttributeView(files(path), text(path), follow(options));
        return type.isInstance(view) ? type.cast(view) : null;
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        if (!type.isAssignableFrom(PosixFileAttributes.class)) {
            throw new UnsupportedOperationException(type.getName());
        }
        MachineAttributeView view = new MachineAttributeView(files(path), text(path), follow(options));
        return type.cast(told(view::readAttributes));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) throws IOException {
        return told(() -> new MachineAttributeView(files(path), text(path), follow(options)).asMap());
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options) throws IOException {
        told(() -> {
            if (name.endsWith("permissions")) {
                @SuppressWarnings("unchecked")
                Set<PosixFilePermission> permissions = (Set<PosixFilePermission>) value;
                files(path).chmod(text(path), MachineAttributeView.mode(permissions));
            }
            return null;
        });
    }

    /** Only names that the machine refused come out, as the exceptions the SFTP server turns into status codes. */
    private static <T> T told(Work<T> work) throws IOException {
        try {
            return work.run();
        } catch (FileTrouble e) {
            throw switch (e.why()) {
                case NOT_FOUND -> new NoSuchFileException(e.path());
                case EXISTS -> new FileAlreadyExistsException(e.path());
                case NOT_EMPTY -> new DirectoryNotEmptyException(e.path());
                case NOT_A_DIRECTORY -> new NotDirectoryException(e.path());
                case DENIED, NOT_PERMITTED, READ_ONLY -> new AccessDeniedException(e.path());
                case IS_DIRECTORY, LOOP, INVALID, NO_DEVICE, BUSY, WRONG_IOCTL -> new FileSystemException(e.path(),
                        null, e.why().words());
            };
        }
    }

    private static Follow follow(LinkOption... options) {
        return Arrays.asList(options).contains(LinkOption.NOFOLLOW_LINKS) ? Follow.NO : Follow.YES;
    }

    private static MachineFiles files(Path path) {
        return ((MachinePath) path).getFileSystem().files();
    }

    private static String text(Path path) {
        return ((MachinePath) path).absolute();
    }
}
