package dev.pitwall.lab.ssh.software;

import dev.pitwall.lab.ssh.Machine;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.kernel.Initramfs;
import dev.pitwall.lab.ssh.kernel.Kernels;
import dev.pitwall.lab.ssh.software.PackageCatalog.Entry;
import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.LabSystem.InstalledPackage;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Installs and removes packages of a Debian-like machine, with what their own scripts do. */
public final class PackageChange {
    private static final String PROGRAM = "\u007fELF\u0002\u0001\u0001";

    private final Machine machine;
    private final MachineState before;
    private final List<Entry> known;

    public PackageChange(Machine machine) {
        this.machine = machine;
        this.before = machine.state();
        this.known = machine.catalog().all(before.osId(), before.kernel());
    }

    /** @param remove packages that exclude one that comes */
    public record Plan(List<Entry> fresh, List<Entry> upgrades, List<String> remove, List<String> unknown) {
        public List<Entry> all() {
            List<Entry> all = new ArrayList<>(fresh);
            all.addAll(upgrades);
            return all;
        }

        /** The same, and these packages go too. */
        public Plan without(List<String> gone) {
            TreeSet<String> more = new TreeSet<>(remove);
            more.addAll(gone);
            return new Plan(fresh, upgrades, List.copyOf(more), unknown);
        }

        public long downloadKiB() {
            return all().stream().mapToLong(Entry::sizeKiB).sum();
        }
    }

    /** The package as apt would take it now: in a list that was fetched. */
    public Optional<Entry> candidate(String name) {
        var lists = machine.look((w, s) -> List.copyOf(s.packageLists));
        return known.stream().filter(e -> e.name().equals(name) && lists.contains(e.source())).findFirst();
    }

    /** What has to be done to have these packages, with all they depend on. */
    public Plan plan(List<String> names) {
        Map<String, Entry> wanted = new LinkedHashMap<>();
        List<String> unknown = new ArrayList<>();
        for (String given : names) {
            String name = given.replaceFirst("=.*$", "");
            Optional<Entry> entry = candidate(name).filter(e -> !given.contains("=")
                    || given.endsWith("=" + e.version()));
            entry.ifPresentOrElse(e -> add(e, wanted), () -> unknown.add(given));
        }
        List<Entry> fresh = wanted.values().stream().filter(e -> !before.system().has(e.name())).toList();
        List<Entry> upgrades = wanted.values().stream().filter(e -> before.system().has(e.name()))
                .filter(e -> !installed(e.name()).version().equals(e.version())
                        && !installed(e.name()).held()).toList();
        return new Plan(fresh, upgrades, excluded(fresh), unknown);
    }

    /** Upgrades of all that is installed and not held. */
    public Plan upgrade(boolean withNew) {
        List<String> names = before.system().packages().keySet().stream()
                .filter(name -> candidate(name).filter(e -> !e.version().equals(installed(name).version())).isPresent())
                .filter(name -> !installed(name).held()).sorted().toList();
        Plan all = plan(names);
        return withNew || all.fresh().isEmpty() ? all : new Plan(List.of(), all.upgrades().stream()
                .filter(e -> e.depends().stream().allMatch(before.system()::has)).toList(), List.of(), List.of());
    }

    private void add(Entry entry, Map<String, Entry> wanted) {
        if (wanted.containsKey(entry.name())) {
            return;
        }
        wanted.put(entry.name(), entry);
        for (String name : entry.depends()) {
            if (!before.system().has(name) || !entry.version().equals(before.system().packages()
                    .getOrDefault(entry.name(), new InstalledPackage("", false, false)).version())) {
                candidate(name).ifPresent(e -> add(e, wanted));
            }
        }
    }

    private InstalledPackage installed(String name) {
        return before.system().packages().get(name);
    }

    /** Installed packages of the groups that come anew, and what depends on them. */
    private List<String> excluded(List<Entry> fresh) {
        TreeSet<String> gone = new TreeSet<>();
        for (Entry e : fresh) {
            known.stream().filter(other -> !e.group().isEmpty() && other.group().equals(e.group())
                            && !fresh.contains(other) && before.system().has(other.name()))
                    .filter(other -> !e.group().equals("nvidia-module")
                            || other.module().map(LabSystem.NvidiaModule::dkms)
                            .equals(e.module().map(LabSystem.NvidiaModule::dkms)))
                    .forEach(other -> gone.add(other.name()));
        }
        return withDependents(gone, fresh);
    }

    private List<String> withDependents(TreeSet<String> gone, List<Entry> kept) {
        boolean grew = true;
        while (grew) {
            grew = known.stream().filter(e -> before.system().has(e.name()) && !kept.contains(e)
                    && e.depends().stream().anyMatch(gone::contains)).map(Entry::name).toList().stream()
                    .map(gone::add).reduce(false, Boolean::logicalOr);
        }
        return List.copyOf(gone);
    }

    /** Packages that go when these do. */
    public List<String> removal(List<String> names) {
        TreeSet<String> gone = new TreeSet<>();
        names.stream().filter(before.system()::has).forEach(gone::add);
        return withDependents(gone, List.of());
    }

    /** These packages, and those that came only because of them and that nobody else needs. */
    public List<String> withOrphans(List<String> gone) {
        TreeSet<String> all = new TreeSet<>(gone);
        boolean grew = true;
        while (grew) {
            grew = before.system().packages().entrySet().stream().filter(e -> e.getValue().automatic())
                    .map(Map.Entry::getKey).filter(name -> !all.contains(name)).filter(name -> known.stream()
                            .noneMatch(e -> before.system().has(e.name()) && !all.contains(e.name())
                                    && e.depends().contains(name))).toList().stream()
                    .map(all::add).reduce(false, Boolean::logicalOr);
        }
        return List.copyOf(all);
    }

    /** Packages that came only because another needed them, which is there no longer. */
    public List<String> orphans() {
        return before.system().packages().entrySet().stream().filter(e -> e.getValue().automatic())
                .map(Map.Entry::getKey).filter(name -> known.stream().noneMatch(e -> before.system().has(e.name())
                        && e.depends().contains(name))).sorted().toList();
    }

    /** Does it, in the time that it takes, and says what dpkg and the packages' scripts say. */
    public void apply(Plan plan, List<String> named, PrintStream out) throws IOException {
        remove(plan.remove(), out);
        Waits.pass(machine.world(), Duration.ofSeconds(machine.catalog().downloadSeconds(plan.downloadKiB())));
        for (Entry e : plan.all()) {
            InstalledPackage was = before.system().packages().get(e.name());
            out.println((was == null ? "Selecting previously unselected package " + e.name() + ".\n" : "")
                    + "Unpacking " + e.name() + " (" + e.version() + ")" + (was == null ? "" : " over ("
                    + was.version() + ")") + " ...");
            unpack(e, was == null && !named.contains(e.name()));
        }
        for (Entry e : plan.all().reversed()) {
            out.println("Setting up " + e.name() + " (" + e.version() + ") ...");
            e.module().filter(LabSystem.NvidiaModule::dkms).ifPresent(m -> out.println("Loading new nvidia-"
                    + m.version() + " DKMS files..."));
        }
        new Dkms(machine).autoinstall(out);
        boolean image = plan.remove().stream().anyMatch(this::hasOptions) || plan.all().stream().anyMatch(e -> e.files().keySet().stream()
                .anyMatch(path -> path.contains("/modprobe.d/")) || e.name().startsWith("linux-image-"));
        if (image) {
            triggers(out);
        }
    }

    /** Its scripts have the initramfs made anew, as they do when it comes. */
    private boolean hasOptions(String name) {
        return known.stream().filter(e -> e.name().equals(name)).flatMap(e -> e.files().keySet().stream())
                .anyMatch(path -> path.contains("/modprobe.d/"));
    }

    private void unpack(Entry e, boolean automatic) {
        machine.disk((files, s) -> {
            s.packages.put(e.name(), new InstalledPackage(e.version(), false, automatic));
            e.files().forEach((path, text) -> {
                files.put(path, (text.isEmpty() ? PROGRAM : text).getBytes(StandardCharsets.UTF_8));
                s.removed.remove(path);
                if (text.isEmpty()) {
                    s.modes.put(path, 0755);
                }
            });
            e.module().filter(m -> !m.dkms()).ifPresent(m -> s.nvidiaModules.put(
                    e.name().replaceFirst("^linux-modules-nvidia-\\d+(-server)?(-open)?-", ""), m));
            if (e.name().startsWith("linux-image-") && !e.name().endsWith("-generic-hwe") && e.kernel().isEmpty()) {
                String kernel = e.name().substring("linux-image-".length());
                files.putIfAbsent("/boot/vmlinuz-" + kernel, "MZ".getBytes(StandardCharsets.UTF_8));
                files.putIfAbsent("/boot/initrd.img-" + kernel, "070701".getBytes(StandardCharsets.UTF_8));
            }
        });
    }

    /** Rebuilds the images of all kernels and GRUB's menu, as the packages of kernels and drivers have it done. */
    private void triggers(PrintStream out) {
        machine.disk((files, s) -> {
            List<String> kernels = Kernels.installed(files);
            kernels.forEach(kernel -> s.images.put(kernel, Initramfs.of(files)));
            String running = s.commandLine.isEmpty() ? before.commandLine() : s.commandLine;
            Kernels.grub(files).ifPresent(start -> files.put(Kernels.GRUB_CONFIG, Kernels.grubConfig("Ubuntu", kernels,
                    running, start.commandLine().replaceFirst("^BOOT_IMAGE=\\S+ *", "")
                            .replaceFirst("root=\\S+( ro)? *", "")).getBytes(StandardCharsets.UTF_8)));
        });
        out.println("Processing triggers for initramfs-tools (0.142ubuntu25) ...");
        Kernels.installed(machine.disk()).forEach(kernel ->
                out.println("update-initramfs: Generating /boot/initrd.img-" + kernel));
    }

    /** Takes packages off with their files; modules that DKMS built of them go too. */
    public void remove(List<String> names, PrintStream out) {
        for (String name : names) {
            Optional<Entry> entry = known.stream().filter(e -> e.name().equals(name)).findFirst();
            out.println("Removing " + name + " (" + installed(name).version() + ") ...");
            machine.disk((files, s) -> {
                s.packages.remove(name);
                entry.ifPresent(e -> {
                    e.files().keySet().forEach(path -> {
                        files.remove(path);
                        s.modes.remove(path);
                    });
                    e.module().ifPresent(m -> s.nvidiaModules.values().removeIf(built ->
                            built.version().equals(m.version()) && built.dkms() == m.dkms()));
                });
            });
        }
    }
}
