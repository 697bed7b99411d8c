package dev.pitwall.lab.ssh.shell;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.FileView;
import dev.pitwall.lab.ssh.Machine;
import dev.pitwall.lab.ssh.shell.Syntax.Redirect;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the streams of one command lead. Files are made when it starts, as a shell does, and filled when it has ended.
 */
final class Redirections {
    private final Shell shell;
    private final Machine machine;
    private final Streams outer;
    private final Expansion expansion;
    private InputStream in;
    private final OutputStream[] outs;
    private final List<Store> stores = new ArrayList<>();

    /** Something that runs with given streams. */
    interface Body {
        int run(Streams streams) throws IOException;
    }

    /** What was written to a file, by absolute path. */
    private record Store(String path, ByteArrayOutputStream written) {
    }

    Redirections(Shell shell, Streams outer, Expansion expansion) {
        this.shell = shell;
        this.machine = shell.machine();
        this.outer = outer;
        this.expansion = expansion;
        this.in = outer.in();
        this.outs = new OutputStream[] {null, outer.out(), outer.err()};
    }

    /** @return the body's status; 1 if a file cannot be read or written */
    int run(List<Redirect> redirects, Body body) throws IOException {
        for (Redirect redirect : redirects) {
            try {
                open(redirect);
            } catch (FileTrouble e) {
                outer.printErr().println(redirect.kind() == Redirect.Kind.READ ? shell.wording().cannotRead(e)
                        : shell.wording().cannotWrite(e));
                return 1;
            }
        }
        int result = body.run(new Streams(in, outs[1], outs[2]));
        return store() ? result : 1;
    }

    private void open(Redirect redirect) throws IOException {
        String target = expansion.single(redirect.target());
        switch (redirect.kind()) {
            case READ -> in = new ByteArrayInputStream(target.equals("/dev/null") ? new byte[0]
                    : machine.files().view().read(path(target)));
            case HERE -> in = new ByteArrayInputStream(target.getBytes(StandardCharsets.UTF_8));
            case HERE_WORD -> in = new ByteArrayInputStream((target + "\n").getBytes(StandardCharsets.UTF_8));
            case DUPLICATE -> outs[redirect.descriptor()] = outs[target.equals("2") ? 2 : 1];
            case WRITE, APPEND -> outs[redirect.descriptor()] = switch (target) {
                case "/dev/null" -> OutputStream.nullOutputStream();
                case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1" -> outs[1];
                case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2" -> outs[2];
                default -> file(redirect.kind(), target);
            };
        }
    }

    private OutputStream file(Redirect.Kind kind, String target) throws FileTrouble {
        String path = path(target);
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        FileView view = machine.files().view();
        if (view.exists(path) && machine.files().isKernelFile(path)) {
            requireWritable(view, target, path);
        } else if (kind == Redirect.Kind.APPEND && view.exists(path)) {
            written.writeBytes(view.read(path));
        } else {
            machine.files().write(path, new byte[0]);
        }
        stores.add(new Store(path, written));
        return written;
    }

    private static void requireWritable(FileView view, String target, String path) throws FileTrouble {
        if ((view.entry(path, FileView.Follow.YES).mode() & 0222) == 0) {
            throw new FileTrouble(FileTrouble.Cause.DENIED, target);
        }
    }

    /** @return false if not all could be written */
    private boolean store() {
        boolean all = true;
        for (Store store : stores) {
            try {
                machine.files().write(store.path(), store.written().toByteArray());
            } catch (FileTrouble trouble) {
                all = false;
                boolean kernel = trouble.path().startsWith("/sys/") || trouble.path().startsWith("/proc/");
                outer.printErr().println(kernel ? "bash: line 1: echo: write error: " + trouble.why().words()
                        : shell.wording().cannotWrite(trouble));
            }
        }
        return all;
    }

    private String path(String name) {
        return FileView.absolute(shell.directory(), name);
    }
}
