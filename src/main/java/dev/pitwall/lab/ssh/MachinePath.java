package dev.pitwall.lab.ssh;

import org.apache.sshd.common.file.util.BasePath;

import java.io.IOException;
import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** A path on a machine of the lab, as SFTP needs it. */
final class MachinePath extends BasePath<MachinePath, MachineFileSystem> {
    MachinePath(MachineFileSystem system, String root, List<String> names) {
        super(system, root, names);
    }

    /** Absolute text without {@code .} and {@code ..}. */
    String absolute() {
        return FileView.absolute("/root", toString());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        FileView.Follow follow = List.of(options).contains(LinkOption.NOFOLLOW_LINKS)
                ? FileView.Follow.NO : FileView.Follow.YES;
        FileView view = getFileSystem().files().view();
        String real = view.resolve(absolute(), follow);
        if (!view.exists(real) && follow == FileView.Follow.YES) {
            throw new NoSuchFileException(toString());
        }
        return getFileSystem().getPath(real);
    }

    @Override
    public URI toUri() {
        return URI.create("lab://" + absolute());
    }
}
