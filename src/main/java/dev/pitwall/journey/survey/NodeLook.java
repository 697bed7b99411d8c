package dev.pitwall.journey.survey;

import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.survey.ShellNode.Engine;
import dev.pitwall.read.GpuListing;
import dev.pitwall.read.LoadedModules;
import dev.pitwall.read.LsmodReader;
import dev.pitwall.read.LspciReader;
import dev.pitwall.read.SmiXmlReader;
import dev.pitwall.site.Together;
import dev.pitwall.site.Together.Answer;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One look at a node's operating system. What it does not have, such as a tool, leaves its part empty. */
final class NodeLook {
    private static final List<String> MODPROBE = List.of("/etc/modprobe.d", "/run/modprobe.d", "/usr/lib/modprobe.d",
            "/lib/modprobe.d");
    private static final Pattern KEEPS_NOUVEAU = Pattern.compile(
            "(?m)^\\s*(?:blacklist\\s+nouveau\\b|install\\s+nouveau\\s+/bin/(?:true|false)\\b)");
    private static final Pattern VERSION = Pattern.compile("NVRM version:.*?\\s(\\d+(?:\\.\\d+)+)\\s");
    private static final Pattern ABOUT_DRIVERS = Pattern.compile("NVRM|nvidia|nouveau|rejected by service|"
            + "unavailable key|Required key not available", Pattern.CASE_INSENSITIVE);
    private static final Map<String, Engine> UNITS = units();
    private static final List<String> RUNTIMES = List.of("/usr/bin/nvidia-container-runtime",
            "/usr/local/nvidia/toolkit/nvidia-container-runtime");
    private static final String DKMS_KEY = "/var/lib/shim-signed/mok/MOK.der";
    private static final String UNINSTALLER = "/usr/bin/nvidia-uninstall";
    private static final int MOST_LINES = 40;

    private final Machine machine;
    private final NodeWishes wishes;
    private final InstantSource clock;
    private final Looking looking;

    private final Answer<String> bootId = new Answer<>();
    private final Answer<List<PciFunction>> functions = new Answer<>();
    private final Answer<ShellNode.Software> software = new Answer<>();
    private final Answer<List<String>> modules = new Answer<>();
    private final Answer<String> version = new Answer<>();
    private final Answer<Ran> smi = new Answer<>();
    private final Answer<Optional<Boolean>> secureBoot = new Answer<>();
    private final Answer<Boolean> key = new Answer<>();
    private final Answer<Boolean> nouveau = new Answer<>();
    private final Answer<String> kept = new Answer<>();
    private final Answer<List<String>> log = new Answer<>();
    private final Answer<Map<String, Boolean>> services = new Answer<>();
    private final Answer<List<String>> programs = new Answer<>();
    private final Answer<List<String>> specs = new Answer<>();
    private final Answer<SortedMap<String, Content>> files = new Answer<>();

    NodeLook(Machine machine, NodeWishes wishes, InstantSource clock) {
        this.machine = machine;
        this.wishes = wishes;
        this.clock = clock;
        this.looking = new Looking(clock);
    }

    private static Map<String, Engine> units() {
        Map<String, Engine> units = new LinkedHashMap<>();
        units.put("rke2-server", Engine.RKE2);
        units.put("rke2-agent", Engine.RKE2);
        units.put("k3s", Engine.K3S);
        units.put("k3s-agent", Engine.K3S);
        units.put("snap.microk8s.daemon-containerd", Engine.MICROK8S);
        units.put("containerd", Engine.CONTAINERD);
        return units;
    }

    ShellNode node(String name, ShellNode.Way way) throws TroubleException, InterruptedException {
        Map<String, String> release = release(text(Showing.RELEASE, "cat", "/etc/os-release"));
        String kernel = text(Showing.KERNEL, "uname", "-r").strip();
        Together.all(List.of(
                bootId.from(() -> text(Showing.BOOT_ID, "cat", "/proc/sys/kernel/random/boot_id").strip()),
                functions.from(() -> new LspciReader().read(Looking.whole(text(Showing.LSPCI, "lspci", "-nnkD"))).devices()),
                software.from(() -> new NodePackages(machine, wishes, looking, clock).read(release, kernel)),
                modules.from(() -> new LsmodReader().read(Looking.whole(text(Showing.MODULES, "lsmod"))).modules().stream()
                        .map(LoadedModules.Module::name).toList()),
                version.from(() -> text(Showing.DRIVER, "cat", "/proc/driver/nvidia/version")),
                smi.from(() -> looking.run(machine, Showing.SMI.key(), "nvidia-smi", "-q", "-x")),
                secureBoot.from(this::secureBoot),
                key.from(() -> text(Showing.KEY, "mokutil", "--test-key", DKMS_KEY).contains("already enrolled")),
                nouveau.from(() -> !text(Showing.NOUVEAU, "modinfo", "-n", "nouveau").isBlank()),
                kept.from(() -> text(Showing.BLACKLIST, Stream.concat(Stream.of("grep", "-rsw", "nouveau"),
                        MODPROBE.stream()).toArray(String[]::new))),
                log.from(this::log),
                services.from(this::services),
                programs.from(() -> there(Showing.RUNTIMES, Stream.concat(RUNTIMES.stream(), Stream.of(UNINSTALLER)).toList())),
                specs.from(() -> text(Showing.CDI, "find", "/etc/cdi", "/var/run/cdi", "-maxdepth", "1", "-type", "f")
                        .lines().map(String::strip).toList()),
                files.from(this::files)));
        return new ShellNode(name, machine.name(), way, kernel, bootId.get(), release, functions.get(), software.get(),
                driver(), runtime(), files.get(), looking.shown());
    }

    private String text(Showing what, String... command) throws TroubleException, InterruptedException {
        return looking.output(machine, what.key(), command);
    }

    static Map<String, String> release(String text) {
        Map<String, String> values = new HashMap<>();
        text.lines().map(String::strip).filter(l -> l.indexOf('=') > 0 && !l.startsWith("#")).forEach(l -> values.put(
                l.substring(0, l.indexOf('=')), l.substring(l.indexOf('=') + 1).replaceAll("^[\"']|[\"']$", "")));
        return values;
    }

    /** Paths of these files that are there. */
    private List<String> there(Showing what, List<String> paths) throws TroubleException, InterruptedException {
        String[] find = Stream.of(Stream.of("find"), paths.stream(), Stream.of("-maxdepth", "0")).flatMap(s -> s)
                .toArray(String[]::new);
        return text(what, find).lines().map(String::strip).filter(paths::contains).toList();
    }

    /** A machine without EFI has no Secure Boot, and says so; one without the tool says nothing. */
    private Optional<Boolean> secureBoot() throws TroubleException, InterruptedException {
        Ran ran = looking.run(machine, Showing.SECURE_BOOT.key(), "mokutil", "--sb-state");
        String said = ran.output() + ran.errors();
        if (said.contains("SecureBoot enabled")) {
            return Optional.of(true);
        }
        return ran.notFound() ? Optional.empty() : Optional.of(false);
    }

    private List<String> log() throws TroubleException, InterruptedException {
        Ran ran = looking.run(machine, Showing.KERNEL_LOG.key(), "dmesg");
        List<String> lines = ran.output().lines().filter(l -> ABOUT_DRIVERS.matcher(l).find()).toList();
        List<String> last = lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size());
        looking.keep(Showing.KERNEL_LOG.key(), new Shown(new Source(Source.Kind.SSH, machine.name(), "dmesg"),
                clock.instant(), String.join("\n", last) + "\n", ran.ok()));
        return last;
    }

    /** Prints one word a unit, in their order. */
    private Map<String, Boolean> services() throws TroubleException, InterruptedException {
        List<String> names = List.copyOf(UNITS.keySet());
        List<String> words = looking.words(machine, Showing.SERVICES.key(),
                Stream.concat(Stream.of("systemctl", "is-active"), names.stream()).toArray(String[]::new));
        Map<String, Boolean> active = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            active.put(names.get(i), i < words.size() && words.get(i).equals("active"));
        }
        return active;
    }

    /** What may not be read is left out. */
    private SortedMap<String, Content> files() throws TroubleException, InterruptedException {
        TreeSet<String> paths = new TreeSet<>(wishes.files());
        paths.add(HostFiles.MODPROBE);
        for (Engine engine : Engine.values()) {
            paths.add(engine.config());
            paths.addAll(engine.templates());
        }
        List<String> list = List.copyOf(paths);
        List<Optional<Content>> contents = Together.all(list.stream()
                .<Callable<Optional<Content>>>map(path -> () -> file(path)).toList());
        SortedMap<String, Content> found = new TreeMap<>();
        for (int i = 0; i < list.size(); i++) {
            String path = list.get(i);
            contents.get(i).ifPresent(content -> found.put(path, content));
        }
        return found;
    }

    private Optional<Content> file(String path) throws TroubleException, InterruptedException {
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

    private ShellNode.Driver driver() {
        Matcher m = VERSION.matcher(version.get());
        boolean loaded = m.find();
        GpuListing listing = new SmiXmlReader().read(Looking.whole(smi.get().output()));
        boolean answers = smi.get().ok();
        return new ShellNode.Driver(modules.get(), loaded ? Optional.of(m.group(1)) : Optional.empty(),
                loaded ? Optional.of(version.get().contains("Open Kernel Module")) : Optional.empty(),
                answers ? listing.gpus().stream().map(GpuListing.Gpu::device).toList() : List.of(),
                answers || smi.get().notFound() ? Optional.empty() : Optional.of(smi.get().lastWords()),
                secureBoot.get(), key.get(), nouveau.get(), KEEPS_NOUVEAU.matcher(configuration()).find(),
                programs.get().contains(UNINSTALLER), log.get());
    }

    /** The lines without the names of their files. */
    private String configuration() {
        List<String> lines = new ArrayList<>();
        kept.get().lines().forEach(line -> lines.add(line.replaceFirst("^/[^:]*:", "")));
        return String.join("\n", lines);
    }

    private ShellNode.Runtime runtime() {
        Optional<Map.Entry<String, Boolean>> unit = services.get().entrySet().stream().filter(Map.Entry::getValue).findFirst();
        return new ShellNode.Runtime(unit.map(u -> UNITS.get(u.getKey())), unit.map(Map.Entry::getKey).orElse(""),
                programs.get().stream().filter(RUNTIMES::contains).toList(), specs.get());
    }
}
