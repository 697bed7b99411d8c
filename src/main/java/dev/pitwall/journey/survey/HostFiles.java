package dev.pitwall.journey.survey;

import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.change.Content;
import dev.pitwall.site.Together;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/** The files of a host that decide what its kernel does with a card, and those that Pitwall writes. */
public final class HostFiles {
    public static final String MODPROBE = "/etc/modprobe.d/zz-pitwall.conf";
    public static final String MODULES = "/etc/modules-load.d/pitwall.conf";
    public static final String GRUB = "/etc/default/grub.d/pitwall.cfg";
    public static final String UDEV = "/etc/udev/rules.d/90-pitwall.rules";
    /** The command line of kernels that systemd-boot starts: the one file that is not Pitwall's alone. */
    public static final String COMMAND_LINE = "/etc/kernel/cmdline";
    public static final String NETWORK = "/etc/network/interfaces";

    private static final List<String> ALWAYS = List.of(MODPROBE, MODULES, GRUB, UDEV, COMMAND_LINE, NETWORK,
            "/etc/modules", "/etc/default/grub", "/etc/initramfs-tools/modules");
    /** By folder the ending of those that count; programs that read these folders pass over all others. */
    private static final Map<String, String> FOLDERS = Map.of("/etc/modprobe.d", ".conf", "/run/modprobe.d", ".conf",
            "/usr/lib/modprobe.d", ".conf", "/etc/modules-load.d", ".conf", "/etc/default/grub.d", ".cfg",
            "/etc/udev/rules.d", ".rules", "/etc/driverctl.d", "", "/etc/network/interfaces.d", "");

    private HostFiles() {
    }

    /** All of them by path, absent ones too. What may not be read is left out and said under {@code file:PATH}. */
    static SortedMap<String, Content> read(Machine machine, Looking looking, InstantSource clock)
            throws TroubleException, InterruptedException {
        List<String> paths = List.copyOf(paths(machine, looking));
        List<Optional<Content>> contents = Together.all(paths.stream()
                .<Callable<Optional<Content>>>map(path -> () -> read(machine, path, looking, clock)).toList());
        SortedMap<String, Content> files = new TreeMap<>();
        for (int i = 0; i < paths.size(); i++) {
            String path = paths.get(i);
            contents.get(i).ifPresent(content -> files.put(path, content));
        }
        return files;
    }

    private static TreeSet<String> paths(Machine machine, Looking looking)
            throws TroubleException, InterruptedException {
        List<String> find = new ArrayList<>(List.of("find"));
        FOLDERS.keySet().stream().sorted().forEach(find::add);
        find.addAll(List.of("-maxdepth", "1"));
        TreeSet<String> paths = new TreeSet<>(ALWAYS);
        looking.output(machine, Showing.FILES.key(), find.toArray(String[]::new)).lines().map(String::strip)
                .filter(HostFiles::counts).forEach(paths::add);
        return paths;
    }

    private static boolean counts(String path) {
        int slash = path.lastIndexOf('/');
        String ending = slash < 0 ? null : FOLDERS.get(path.substring(0, slash));
        return ending != null && path.endsWith(ending) && path.charAt(slash + 1) != '.';
    }

    private static Optional<Content> read(Machine machine, String path, Looking looking, InstantSource clock)
            throws TroubleException, InterruptedException {
        try {
            return Optional.of(machine.read(path));
        } catch (TroubleException e) {
            if (e.trouble().kind() != Kind.RIGHTS && e.trouble().kind() != Kind.REMOTE) {
                throw e;
            }
            looking.keep(Showing.FILE.of(path), new Shown(new Source(Source.Kind.SSH, machine.name(), "read " + path),
                    clock.instant(), e.trouble().what(), false));
            return Optional.empty();
        }
    }
}
