package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.Entry;
import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.FileView;
import dev.pitwall.lab.ssh.FileView.Follow;
import dev.pitwall.lab.ssh.MachineFiles;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;

import java.util.ArrayList;
import java.util.List;

/** Programs that make, copy, move and remove files. */
final class FileChanges {
    private static final int FOLDER_MODE = 0755;
    /** Takes mode or owner of another file. */
    private static final String REFERENCE = "--reference=";

    private FileChanges() {
    }

    static void install(Commands commands) {
        commands.add("mkdir", new MakeDirectory()).add("rm", new Remove()).add("rmdir", new RemoveDirectory())
                .add("mv", new Move()).add("cp", new Copy()).add("install", new Install())
                .add("chmod", new ChangeMode()).add("chown", new Owner()).add("chgrp", new Owner())
                .add("ln", new MakeLink()).add("sync", call -> Call.OK);
    }

    /** Runs one change and says its refusal as the C library does. */
    interface Change {
        void run() throws FileTrouble;
    }

    static int change(Call call, String doing, Change change) {
        try {
            change.run();
            return Call.OK;
        } catch (FileTrouble e) {
            return call.fail(1, doing + ": " + e.why().words());
        }
    }

    /** A target that is a folder means an entry of the same name in it. */
    private static String into(Call call, String source, String target) throws FileTrouble {
        String path = call.path(target);
        String name = source.replaceFirst("/+$", "");
        return isFolder(call.files(), path) ? path + "/" + name.substring(name.lastIndexOf('/') + 1) : path;
    }

    private static boolean isFolder(FileView files, String path) throws FileTrouble {
        return files.exists(path) && files.entry(path, Follow.YES) instanceof Entry.Directory;
    }

    private static void makeAll(Call call, String path) throws FileTrouble {
        StringBuilder here = new StringBuilder();
        for (String part : path.substring(1).split("/")) {
            here.append('/').append(part);
            if (!call.files().exists(here.toString())) {
                call.machine().files().makeDirectory(here.toString(), FOLDER_MODE);
            }
        }
    }

    static final class MakeDirectory implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "pvm:", "parents", "verbose", "mode=");
            if (options.refused()) {
                return options.refuse(1);
            }
            if (options.operands().isEmpty()) {
                return options.missing("missing operand");
            }
            int status = Call.OK;
            for (String operand : options.operands()) {
                status |= change(call, "cannot create directory \u2018" + operand + "\u2019", () -> {
                    String path = call.path(operand);
                    if (options.has("p", "parents")) {
                        makeAll(call, path);
                    } else {
                        call.machine().files().makeDirectory(path, FOLDER_MODE);
                    }
                    String mode = options.value("m", "mode").orElse("");
                    if (!mode.isEmpty()) {
                        call.machine().files().chmod(path, FileMode.apply(mode, FOLDER_MODE));
                    }
                });
            }
            return status;
        }
    }

    static final class Remove implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "rRfivd", "recursive", "force", "verbose");
            if (options.refused()) {
                return options.refuse(1);
            }
            boolean force = options.has("f", "force");
            if (options.operands().isEmpty()) {
                return force ? Call.OK : options.missing("missing operand");
            }
            int status = Call.OK;
            for (String operand : options.operands()) {
                String path = call.path(operand);
                if (force && new Walk(call.files()).below(path, operand, 0).findAny().isEmpty()) {
                    continue;
                }
                status |= change(call, "cannot remove '" + operand + "'",
                        () -> remove(call, options.has("r", "recursive") || options.has("R", ""), operand, path));
            }
            return status;
        }

        private static void remove(Call call, boolean recursive, String operand, String path) throws FileTrouble {
            if (recursive) {
                List<Walk.Found> all = new ArrayList<>(new Walk(call.files())
                        .below(path, operand, Integer.MAX_VALUE).toList());
                if (all.isEmpty()) {
                    throw new FileTrouble(FileTrouble.Cause.NOT_FOUND, path);
                }
                for (Walk.Found f : all.reversed()) {
                    call.machine().files().remove(f.path());
                }
            } else {
                if (call.files().entry(path, Follow.NO) instanceof Entry.Directory) {
                    throw new FileTrouble(FileTrouble.Cause.IS_DIRECTORY, path);
                }
                call.machine().files().remove(path);
            }
        }
    }

    static final class RemoveDirectory implements Command {
        @Override
        public int run(Call call) {
            int status = Call.OK;
            for (String operand : call.operands()) {
                status |= change(call, "failed to remove '" + operand + "'", () -> {
                    if (!(call.files().entry(call.path(operand), Follow.NO) instanceof Entry.Directory)) {
                        throw new FileTrouble(FileTrouble.Cause.NOT_A_DIRECTORY, operand);
                    }
                    call.machine().files().remove(call.path(operand));
                });
            }
            return status;
        }
    }

    static final class Move implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "fnvTt:", "force", "no-clobber", "verbose", "no-target-directory");
            if (options.refused()) {
                return options.refuse(1);
            }
            List<String> o = options.operands();
            if (o.size() < 2) {
                return options.missing(o.isEmpty() ? "missing file operand"
                        : "missing destination file operand after '" + o.getFirst() + "'");
            }
            int status = Call.OK;
            String target = o.getLast();
            for (String source : o.subList(0, o.size() - 1)) {
                status |= change(call, "cannot " + (call.files().exists(call.path(source)) ? "move '" + source
                        + "' to '"
                        + target + "'" : "stat '" + source + "'"), () -> {
                    String goal = options.has("T", "no-target-directory") ? call.path(target)
                            : into(call, source, target);
                    if (!(options.has("n", "no-clobber") && call.files().exists(goal))) {
                        call.machine().files().rename(call.path(source), goal);
                    }
                });
            }
            return status;
        }
    }

    static final class Copy implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "rRapfnvLPTdt:", "recursive", "archive", "force", "no-clobber",
                    "verbose",
                    "preserve", "preserve=", "backup", "backup=", "suffix=", "no-target-directory");
            if (options.refused()) {
                return options.refuse(1);
            }
            List<String> o = options.operands();
            if (o.size() < 2) {
                return options.missing(o.isEmpty() ? "missing file operand"
                        : "missing destination file operand after '" + o.getFirst() + "'");
            }
            boolean deep = options.has("r", "recursive") || options.has("R", "") || options.has("a", "archive");
            int status = Call.OK;
            for (String source : o.subList(0, o.size() - 1)) {
                status |= copy(call, options, deep, source, o.getLast());
            }
            return status;
        }

        private static int copy(Call call, Options options, boolean deep, String source, String target) {
            try {
                String from = call.path(source);
                if (!deep && call.files().entry(from, Follow.YES) instanceof Entry.Directory) {
                    return call.fail(1, "-r not specified; omitting directory '" + source + "'");
                }
                String goal = options.has("T", "no-target-directory") ? call.path(target) : into(call, source, target);
                if (options.has("n", "no-clobber") && call.files().exists(goal)) {
                    return Call.OK;
                }
                for (Walk.Found f : new Walk(call.files()).below(from, source + (deep ? "" : "/"),
                        Integer.MAX_VALUE).toList()) {
                    one(call, f, goal + f.path().substring(from.length()),
                            options.has("p", "preserve") || options.has("a", "archive"));
                }
                return Call.OK;
            } catch (FileTrouble e) {
                return call.fail(1, (e.path().equals(call.path(source)) ? "cannot stat '" + source + "'"
                        : "cannot create regular file '" + target + "'") + ": " + e.why().words());
            }
        }

        private static void one(Call call, Walk.Found f, String goal, boolean preserve) throws FileTrouble {
            MachineFiles files = call.machine().files();
            switch (f.entry()) {
                case Entry.Directory d -> {
                    if (!call.files().exists(goal)) {
                        files.makeDirectory(goal, d.mode());
                    }
                }
                case Entry.Link l -> files.makeLink(goal, l.target());
                case Entry.Regular r -> {
                    boolean fresh = !call.files().exists(goal);
                    files.write(goal, call.files().read(f.path()));
                    if (preserve || fresh) {
                        files.chmod(goal, r.mode());
                    }
                }
            }
        }
    }

    /** {@code install [-m MODE] [-D] SOURCE… TARGET}, {@code install -d FOLDER…}. */
    static final class Install implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "m:dDCvo:g:", "mode=", "directory", "owner=", "group=");
            if (options.refused()) {
                return options.refuse(1);
            }
            List<String> o = options.operands();
            String mode = options.value("m", "mode").orElse("755");
            if (options.has("d", "directory")) {
                return o.stream().mapToInt(folder -> change(call, "cannot create directory \u2018" + folder + "\u2019",
                        () -> {
                            makeAll(call, call.path(folder));
                            call.machine().files().chmod(call.path(folder), FileMode.apply(mode, FOLDER_MODE));
                        })).reduce(0, (a, b) -> a | b);
            }
            if (o.size() < 2) {
                return options.missing("missing destination file operand");
            }
            return o.subList(0, o.size() - 1).stream().mapToInt(source -> change(call, "cannot stat '" + source + "'",
                    () -> {
                        String goal = into(call, source, o.getLast());
                        if (options.has("D", "")) {
                            makeAll(call, FileView.absolute(goal, ".."));
                        }
                        byte[] content = source.equals("/dev/stdin") || source.equals("/dev/null") ? new byte[0]
                                : call.files().read(call.path(source));
                        call.machine().files().write(goal, content);
                        call.machine().files().chmod(goal, FileMode.apply(mode, FOLDER_MODE));
                    })).reduce(0, (a, b) -> a | b);
        }
    }

    static final class ChangeMode implements Command {
        @Override
        public int run(Call call) {
            List<String> o = new ArrayList<>(call.arguments());
            boolean deep = o.removeIf(a -> a.equals("-R") || a.equals("--recursive"));
            o.removeIf(a -> a.equals("-v") || a.equals("-c") || a.equals("-f") || a.equals("--"));
            if (!o.isEmpty() && o.getFirst().startsWith(REFERENCE)) {
                String model = o.getFirst().substring(REFERENCE.length());
                try {
                    o.set(0, Integer.toOctalString(call.files().entry(call.path(model), Follow.YES).mode()));
                } catch (FileTrouble e) {
                    return call.fail(1, "failed to get attributes of '" + model + "': " + e.why().words());
                }
            }
            if (o.size() < 2) {
                return call.fail(1, "missing operand");
            }
            if (!FileMode.isValid(o.getFirst())) {
                return call.fail(1, "invalid mode: \u2018" + o.getFirst() + "\u2019");
            }
            int status = Call.OK;
            for (String file : o.subList(1, o.size())) {
                status |= change(call, "cannot access '" + file + "'", () -> {
                    call.files().entry(call.path(file), Follow.YES);
                    for (Walk.Found f : new Walk(call.files()).below(call.path(file), file + "/",
                            deep ? Integer.MAX_VALUE : 0).toList()) {
                        call.machine().files().chmod(f.path(), FileMode.apply(o.getFirst(), f.entry().mode()));
                    }
                });
            }
            return status;
        }
    }

    /** Everything belongs to root here, and stays with root. */
    static final class Owner implements Command {
        @Override
        public int run(Call call) {
            List<String> o = new ArrayList<>(call.operands());
            call.arguments().stream().filter(a -> a.startsWith(REFERENCE)).findFirst().ifPresent(a -> o.addFirst("root"));
            if (o.size() < 2) {
                return call.fail(1, "missing operand");
            }
            if (!o.getFirst().matches("(root|0)?(:(root|0)?)?")) {
                String name = o.getFirst().replaceFirst("^:|:.*$", "");
                return call.fail(1, "invalid user: \u2018" + name + "\u2019");
            }
            return o.subList(1, o.size()).stream().mapToInt(file -> change(call, "cannot access '" + file + "'",
                    () -> call.files().entry(call.path(file), Follow.NO))).reduce(0, (a, b) -> a | b);
        }
    }

    static final class MakeLink implements Command {
        @Override
        public int run(Call call) {
            Options options = Options.of(call, "sfnvTr", "symbolic", "force", "no-dereference");
            if (options.refused()) {
                return options.refuse(1);
            }
            List<String> o = options.operands();
            if (!options.has("s", "symbolic") || o.size() != 2) {
                return call.fail(1, "failed to create hard link: Operation not permitted");
            }
            return change(call, "failed to create symbolic link '" + o.get(1) + "'", () -> {
                String path = into(call, o.get(0), o.get(1));
                if (options.has("f", "force") && new Walk(call.files()).below(path, path, 0).findAny().isPresent()) {
                    call.machine().files().remove(path);
                }
                call.machine().files().makeLink(path, o.get(0));
            });
        }
    }
}
