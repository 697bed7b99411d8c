package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.Entry;
import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.FileView.Follow;
import dev.pitwall.lab.ssh.FileView;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Programs that say what files there are. */
final class FileListing {
    private FileListing() {
    }

    static void install(Commands commands) {
        commands.add("ls", new ListFiles()).add("find", new Find()).add("readlink", new ReadLink())
                .add("realpath", new ReadLink()).add("stat", new Stat());
    }

    static String modeText(Entry entry) {
        String type = switch (entry) {
            case Entry.Directory d -> "d";
            case Entry.Link l -> "l";
            case Entry.Regular r -> "-";
        };
        StringBuilder out = new StringBuilder(type);
        String letters = "rwxrwxrwx";
        for (int i = 0; i < letters.length(); i++) {
            out.append((entry.mode() & (0400 >> i)) != 0 ? letters.charAt(i) : '-');
        }
        if ((entry.mode() & 01000) != 0) {
            out.setCharAt(9, 't');
        }
        return out.toString();
    }

    static final class ListFiles implements Command {
        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("MMM d HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

        @Override
        public int run(Call call) {
            Options options = Options.of(call, "laAdhtr1S", "all", "almost-all", "directory", "human-readable",
                    "color", "color=");
            if (options.refused()) {
                return options.refuse(2);
            }
            List<String> operands = call.operands();
            FileView files = call.files();
            int status = Call.OK;
            List<String> plain = new ArrayList<>();
            List<String> folders = new ArrayList<>();
            for (String operand : operands.isEmpty() ? List.of(".") : operands) {
                try {
                    Entry entry = files.entry(call.path(operand), call.has('d') || call.has('l')
                            && !operand.endsWith("/") ? Follow.NO : Follow.YES);
                    boolean folder = entry instanceof Entry.Directory && !call.has('d');
                    (folder ? folders : plain).add(operand);
                } catch (FileTrouble e) {
                    call.err().println("ls: cannot access '" + operand + "': " + e.why().words());
                    status = 2;
                }
            }
            for (String name : plain) {
                print(call, files, name, call.path(name));
            }
            for (String folder : folders) {
                if (operands.size() > 1) {
                    call.out().println((plain.isEmpty() && folder.equals(folders.getFirst()) ? "" : "\n")
                            + folder + ":");
                }
                folder(call, files, call.path(folder));
            }
            return status;
        }

        private static void folder(Call call, FileView files, String path) {
            try {
                List<String> names = sorted(call, files, path, files.names(path));
                if (call.has('l')) {
                    call.out().println("total 0");
                }
                for (String name : names) {
                    if (!name.startsWith(".") || call.has('a') || call.has('A')) {
                        print(call, files, name, path.equals("/") ? "/" + name : path + "/" + name);
                    }
                }
            } catch (FileTrouble e) {
                call.fail(2, "cannot open directory '" + path + "': " + e.why().words());
            }
        }

        /** By name; {@code -t} newest first, {@code -S} largest first, {@code -r} the other way round. */
        private static List<String> sorted(Call call, FileView files, String folder, List<String> names) {
            List<String> sorted = new ArrayList<>(names);
            if (call.has('t')) {
                sorted.sort(Comparator.comparing((String name) -> files.changed(folder + "/" + name)).reversed());
            } else if (call.has('S')) {
                sorted.sort(Comparator.comparingLong((String name) -> size(files, folder + "/" + name)).reversed());
            }
            return call.has('r') ? sorted.reversed() : sorted;
        }

        private static long size(FileView files, String path) {
            try {
                return FileView.size(files.entry(path, Follow.NO));
            } catch (FileTrouble e) {
                return 0;
            }
        }

        private static void print(Call call, FileView files, String shown, String path) {
            if (!call.has('l')) {
                call.out().println(shown);
                return;
            }
            try {
                Entry entry = files.entry(path, Follow.NO);
                String target = entry instanceof Entry.Link link ? " -> " + link.target() : "";
                call.out().printf(Locale.ROOT, "%s %d root root %7d %s %s%s%n", modeText(entry),
                        entry instanceof Entry.Directory ? 2 : 1, FileView.size(entry),
                        TIME.format(files.changed(path)), shown, target);
            } catch (FileTrouble e) {
                call.fail(2, "cannot access '" + shown + "': " + e.why().words());
            }
        }
    }

    /** {@code find PATH… [-maxdepth N] [-mindepth N] [-type X] [-name G] [-path G] [-print0]}. */
    static final class Find implements Command {
        @Override
        public int run(Call call) {
            List<String> roots = new ArrayList<>();
            int max = Integer.MAX_VALUE;
            int min = 0;
            Predicate<Walk.Found> test = f -> true;
            String end = "\n";
            List<String> a = call.arguments();
            for (int i = 0; i < a.size(); i++) {
                String word = a.get(i);
                if (!word.startsWith("-") && !word.equals("!") && !word.equals("(")) {
                    roots.add(word);
                    continue;
                }
                String value = i + 1 < a.size() ? a.get(i + 1) : "";
                switch (word) {
                    case "-maxdepth" -> max = Integer.parseInt(value);
                    case "-mindepth" -> min = Integer.parseInt(value);
                    case "-type" -> test = test.and(f -> value.indexOf(f.type()) >= 0);
                    case "-name" -> test = test.and(f -> glob(value).matcher(f.name()).matches());
                    case "-path" -> test = test.and(f -> glob(value).matcher(f.shown()).matches());
                    case "-print0" -> end = "\0";
                    case "-print", "-L", "-H", "-P" -> { }
                    default -> {
                        return call.fail(1, "unknown predicate `" + word + "'");
                    }
                }
                if (!List.of("-print0", "-print", "-L", "-H", "-P").contains(word)) {
                    i++;
                }
            }
            return print(call, roots.isEmpty() ? List.of(".") : roots, max, min, test, end);
        }

        private static int print(Call call, List<String> roots, int max, int min, Predicate<Walk.Found> test,
                                 String end) {
            int status = Call.OK;
            FileView files = call.files();
            for (String root : roots) {
                List<Walk.Found> all = new Walk(files).below(call.path(root), root, max).toList();
                if (all.isEmpty()) {
                    call.err().println("find: \u2018" + root + "\u2019: No such file or directory");
                    status = 1;
                }
                all.stream().filter(f -> f.depth() >= min).filter(test).forEach(f -> call.out().print(f.shown() + end));
            }
            return status;
        }

        private static Pattern glob(String glob) {
            StringBuilder out = new StringBuilder();
            for (char c : glob.toCharArray()) {
                out.append(c == '*' ? ".*" : c == '?' ? "." : c == '[' || c == ']' ? String.valueOf(c)
                        : Pattern.quote(String.valueOf(c)));
            }
            return Pattern.compile(out.toString());
        }
    }

    static final class ReadLink implements Command {
        @Override
        public int run(Call call) {
            boolean real = call.has('f') || call.has('e') || call.shortName().equals("realpath");
            int status = Call.OK;
            for (String operand : call.operands()) {
                try {
                    FileView files = call.files();
                    if (real) {
                        String path = files.resolve(call.path(operand), Follow.YES);
                        if (!files.exists(path) && !files.exists(FileView.absolute(path, ".."))) {
                            throw new NoSuchElementException();
                        }
                        call.out().println(path);
                    } else {
                        call.out().println(switch (files.entry(call.path(operand), Follow.NO)) {
                            case Entry.Link l -> l.target();
                            case Entry.Directory d -> throw new NoSuchElementException();
                            case Entry.Regular r -> throw new NoSuchElementException();
                        });
                    }
                } catch (FileTrouble | NoSuchElementException e) {
                    // readlink says nothing about what it cannot read; its status tells.
                    status = 1;
                }
            }
            return status;
        }
    }

    static final class Stat implements Command {
        private static final DateTimeFormatter TIME = DateTimeFormatter
                .ofPattern("yyyy-MM-dd HH:mm:ss.nnnnnnnnn xx", Locale.ROOT).withZone(ZoneOffset.UTC);

        @Override
        public int run(Call call) {
            List<String> a = new ArrayList<>(call.arguments());
            String format = "";
            for (String option : List.of("-c", "--format", "--printf")) {
                int at = a.indexOf(option);
                if (at >= 0 && at + 1 < a.size()) {
                    format = a.get(at + 1);
                    a.subList(at, at + 2).clear();
                }
            }
            for (String word : List.copyOf(a)) {
                if (word.startsWith("--format=") || word.startsWith("--printf=")) {
                    format = word.substring(word.indexOf('=') + 1);
                }
            }
            int status = Call.OK;
            FileView files = call.files();
            for (String operand : a.stream().filter(w -> !w.startsWith("-")).toList()) {
                try {
                    Follow follow = call.has('L') ? Follow.YES : Follow.NO;
                    Entry entry = files.entry(call.path(operand), follow);
                    call.out().println(format.isEmpty() ? whole(operand, entry, files, call)
                            : formatted(format, operand, entry, files, call));
                } catch (FileTrouble e) {
                    call.err().println("stat: cannot statx '" + operand + "': " + e.why().words());
                    status = 1;
                }
            }
            return status;
        }

        private static String formatted(String format, String name, Entry e, FileView files, Call call) {
            String octal = Integer.toOctalString(e.mode());
            return format.replace("%a", octal).replace("%f", Integer.toHexString(type(e) | e.mode())).replace("%A", modeText(e)).replace("%s", Long.toString(FileView.size(e)))
                    .replace("%n", name).replace("%U", "root").replace("%G", "root").replace("%u", "0")
                    .replace("%g", "0").replace("%F", kind(e))
                    .replace("%Y", Long.toString(files.changed(call.path(name)).getEpochSecond()))
                    .replace("\\n", "\n");
        }

        /** The file type of {@code st_mode}. */
        private static int type(Entry e) {
            return switch (e) {
                case Entry.Directory d -> 0040000;
                case Entry.Link l -> 0120000;
                case Entry.Regular r -> 0100000;
            };
        }

        private static String kind(Entry e) {
            return switch (e) {
                case Entry.Directory d -> "directory";
                case Entry.Link l -> "symbolic link";
                case Entry.Regular r -> r.size() == 0 ? "regular empty file" : "regular file";
            };
        }

        private static String whole(String name, Entry e, FileView files, Call call) {
            String time = TIME.format(files.changed(call.path(name)));
            String target = e instanceof Entry.Link l ? " -> " + l.target() : "";
            return String.format(Locale.ROOT, "  File: %s%s%n  Size: %d\tBlocks: %d\tIO Block: 4096   %s%n"
                            + "Access: (%04o/%s)  Uid: (    0/    root)   Gid: (    0/    root)%nModify: %s%n"
                            + "Change: %s", name, target, FileView.size(e), (FileView.size(e) + 511) / 512, kind(e),
                    e.mode(), modeText(e), time, time);
        }
    }
}
