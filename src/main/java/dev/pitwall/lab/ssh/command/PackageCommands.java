package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.ssh.software.PackageCatalog;
import dev.pitwall.lab.ssh.software.PackageChange;
import dev.pitwall.lab.ssh.software.PackageSources;
import dev.pitwall.lab.ssh.software.Waits;
import dev.pitwall.lab.world.LabSystem.InstalledPackage;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** apt on a Debian-like machine. */
final class PackageCommands {
    private static final int FAILED = 100;
    private static final String READING = "Reading package lists...\nBuilding dependency tree...\n"
            + "Reading state information...";

    private PackageCommands() {
    }

    static void install(Commands commands) {
        commands.add("apt-get", new AptGet()).add("apt", new AptGet()).add("apt-cache", new AptCache())
                .add("apt-mark", new AptMark()).add("dpkg", new Dpkg()).add("dpkg-query", new Dpkg())
                .add("add-apt-repository", call -> call.fail(1, "only package archives of this lab can be added, by a "
                        + "file in /etc/apt/sources.list.d"));
    }

    static final class AptGet implements Command {
        @Override
        public int run(Call call) throws IOException {
            Options options = Options.of(call, "yqfsdo:t:V", "yes", "assume-yes", "quiet", "no-install-recommends",
                    "allow-downgrades", "fix-broken", "purge", "only-upgrade", "dry-run", "simulate", "reinstall",
                    "autoremove", "auto-remove", "allow-change-held-packages", "option=");
            if (options.refused()) {
                call.err().println("E: Command line option " + call.arguments().stream().filter(a -> a.startsWith("-"))
                        .findFirst().orElse("") + " is not understood in combination with the other options.");
                return FAILED;
            }
            List<String> o = options.operands();
            String verb = o.isEmpty() ? "" : o.getFirst();
            List<String> names = o.isEmpty() ? List.of() : o.subList(1, o.size());
            return switch (verb) {
                case "update" -> update(call);
                case "install", "reinstall" -> install(call, options, names);
                case "upgrade", "dist-upgrade", "full-upgrade" -> upgrade(call, options, !verb.equals("upgrade")
                        || call.shortName().equals("apt"));
                case "remove", "purge" -> remove(call, options, removal(call, options, names), names);
                case "autoremove" -> remove(call, options, new PackageChange(call.machine()).orphans(), List.of());
                case "clean", "autoclean" -> Call.OK;
                case "list" -> list(call, names);
                case "policy", "show", "search" -> new AptCache().run(call);
                default -> {
                    call.err().println("E: Invalid operation " + verb);
                    yield FAILED;
                }
            };
        }

        private static int update(Call call) throws IOException {
            List<PackageSources.Named> sources = PackageSources.of(call.machine());
            int number = 1;
            int status = Call.OK;
            List<String> good = new ArrayList<>();
            for (PackageSources.Named named : sources) {
                String shown = named.source().shown();
                call.out().println("Get:" + number++ + " " + shown + " InRelease");
                Waits.pass(call.machine().world(), Duration.ofSeconds(1));
                if (named.trusted()) {
                    good.add(named.source().id());
                } else {
                    call.err().println("W: GPG error: " + shown + " InRelease: The following signatures couldn't be "
                            + "verified because the public key is not available: NO_PUBKEY DDCAE044F796ECB0\n"
                            + "E: The repository '" + shown.strip() + " InRelease' is not signed.");
                    status = FAILED;
                }
            }
            call.machine().change((w, s) -> {
                s.packageLists.clear();
                s.packageLists.addAll(good);
            });
            call.out().println("Reading package lists...");
            return status;
        }

        /** A name with a minus behind it is a package that goes. */
        private static int install(Call call, Options options, List<String> names) throws IOException {
            PackageChange change = new PackageChange(call.machine());
            List<String> gone = names.stream().filter(n -> n.endsWith("-")).map(n -> n.substring(0, n.length() - 1)).toList();
            List<String> wanted = names.stream().filter(n -> !n.endsWith("-")).toList();
            PackageChange.Plan plan = change.plan(wanted).without(change.removal(gone));
            call.out().println(READING);
            if (!plan.unknown().isEmpty()) {
                for (String name : plan.unknown()) {
                    int equals = name.indexOf('=');
                    call.err().println(equals < 0 ? "E: Unable to locate package " + name : "E: Version '"
                            + name.substring(equals + 1) + "' for '" + name.substring(0, equals) + "' was not found");
                }
                return FAILED;
            }
            wanted.stream().filter(name -> plan.all().stream().noneMatch(e -> e.name().equals(name.replaceFirst("=.*",
                    ""))))
                    .forEach(name -> held(call, name));
            return apply(call, options, change, plan, wanted);
        }

        private static void held(Call call, String name) {
            Optional<InstalledPackage> there = Optional.ofNullable(call.machine().state().system().packages().get(name));
            there.ifPresent(p -> call.out().println(name + " is already the newest version (" + p.version() + ")."));
            call.machine().change((w, s) -> s.packages.computeIfPresent(name,
                    (n, p) -> new InstalledPackage(p.version(), p.held(), false)));
        }

        private static int upgrade(Call call, Options options, boolean withNew) throws IOException {
            PackageChange change = new PackageChange(call.machine());
            call.out().println(READING + "\nCalculating upgrade...");
            PackageChange.Plan plan = change.upgrade(withNew);
            return apply(call, options, change, plan,
                    plan.upgrades().stream().map(PackageCatalog.Entry::name).toList());
        }

        private static int apply(Call call, Options options, PackageChange change, PackageChange.Plan plan,
                                 List<String> named) throws IOException {
            names(call, "REMOVED", plan.remove());
            names(call, "NEW packages", plan.fresh().stream().map(PackageCatalog.Entry::name).toList());
            names(call, "upgraded", plan.upgrades().stream().map(PackageCatalog.Entry::name).toList());
            call.out().println(plan.upgrades().size() + " upgraded, " + plan.fresh().size() + " newly installed, "
                    + plan.remove().size() + " to remove and 0 not upgraded.");
            if (simulates(options)) {
                simulate(call, options, plan);
                return Call.OK;
            }
            if (plan.all().isEmpty() && plan.remove().isEmpty()) {
                return Call.OK;
            }
            call.out().println("Need to get " + plan.downloadKiB() + " kB of archives.");
            if (!confirmed(call, options, plan.all().size() > named.size() || !plan.remove().isEmpty())) {
                call.out().println("Abort.");
                return 1;
            }
            change.apply(plan, named.stream().map(n -> n.replaceFirst("=.*", "")).toList(), call.out());
            return Call.OK;
        }

        private static boolean simulates(Options options) {
            return options.has("s", "dry-run") || options.has("s", "simulate");
        }

        /** What apt prints of each package, and does not do. */
        private static void simulate(Call call, Options options, PackageChange.Plan plan) {
            var there = call.machine().state().system().packages();
            plan.remove().forEach(name -> call.out().println((options.has("", "purge") ? "Purg " : "Remv ") + name + " ["
                    + there.get(name).version() + "]"));
            plan.all().forEach(e -> call.out().println("Inst " + e.name() + (there.containsKey(e.name()) ? " ["
                    + there.get(e.name()).version() + "]" : "") + " (" + e.version() + " Ubuntu:24.04/noble [amd64])"));
            plan.all().forEach(e -> call.out().println("Conf " + e.name() + " (" + e.version()
                    + " Ubuntu:24.04/noble [amd64])"));
        }

        private static List<String> removal(Call call, Options options, List<String> names) {
            PackageChange change = new PackageChange(call.machine());
            List<String> gone = change.removal(names);
            return options.has("", "autoremove") || options.has("", "auto-remove") ? change.withOrphans(gone) : gone;
        }

        private static void names(Call call, String what, List<String> names) {
            if (!names.isEmpty()) {
                call.out().println("The following " + (what.startsWith("NEW") ? what + " will be installed:"
                        : "packages will be " + what + ":") + "\n  " + String.join(" ",
                                names.stream().sorted().toList()));
            }
        }

        /** Without {@code -y} it asks, if more happens than was asked for; the end of input means no. */
        private static boolean confirmed(Call call, Options options, boolean asks) throws IOException {
            if (!asks || options.has("y", "yes") || options.has("y", "assume-yes")) {
                return true;
            }
            call.out().print("Do you want to continue? [Y/n] ");
            int answer = call.in().read();
            call.out().println();
            return answer == 'y' || answer == 'Y' || answer == '\n';
        }

        private static int remove(Call call, Options options, List<String> gone,
                List<String> names) throws IOException {
            call.out().println(READING);
            names.stream().filter(n -> !call.machine().state().system().has(n)).forEach(n ->
                    call.out().println("Package '" + n + "' is not installed, so not removed"));
            names(call, "REMOVED", gone);
            call.out().println("0 upgraded, 0 newly installed, " + gone.size() + " to remove and 0 not upgraded.");
            if (simulates(options)) {
                simulate(call, options, new PackageChange.Plan(List.of(), List.of(), gone, List.of()));
                return Call.OK;
            }
            if (!gone.isEmpty() && !confirmed(call, options, true)) {
                call.out().println("Abort.");
                return 1;
            }
            new PackageChange(call.machine()).remove(gone, call.out());
            return Call.OK;
        }

        private static int list(Call call, List<String> globs) {
            MachineState m = call.machine().state();
            call.out().println("Listing...");
            m.system().packages().entrySet().stream().sorted(Map.Entry.comparingByKey())
                    .filter(e -> globs.isEmpty() || globs.stream().anyMatch(g -> Dpkg.glob(g).matcher(e.getKey()).matches()))
                    .forEach(e -> call.out().println(e.getKey() + "/now " + e.getValue().version()
                            + " amd64 [installed" + (e.getValue().automatic() ? ",automatic" : "") + "]"));
            return Call.OK;
        }
    }

    static final class AptCache implements Command {
        @Override
        public int run(Call call) {
            List<String> o = call.operands();
            String verb = o.isEmpty() ? "" : o.getFirst();
            PackageChange change = new PackageChange(call.machine());
            MachineState m = call.machine().state();
            int status = Call.OK;
            for (String name : o.isEmpty() ? o : o.subList(1, o.size())) {
                switch (verb) {
                    case "policy" -> policy(call, m, change, name);
                    case "show" -> {
                        Optional<PackageCatalog.Entry> entry = change.candidate(name);
                        entry.ifPresentOrElse(e -> call.out().println("Package: " + e.name() + "\nVersion: "
                                + e.version()
                                + "\nDepends: " + String.join(", ", e.depends()) + "\nDescription: " + e.summary()
                                        + "\n"),
                                () -> call.err().println("E: No packages found"));
                        status = entry.isPresent() ? status : FAILED;
                    }
                    case "search" -> call.machine().catalog().all(m.osId(), m.kernel()).stream()
                            .filter(e -> e.name().contains(name) && change.candidate(e.name()).isPresent())
                            .forEach(e -> call.out().println(e.name() + " - " + e.summary()));
                    default -> {
                        call.err().println("E: Invalid operation " + verb);
                        return FAILED;
                    }
                }
            }
            return status;
        }

        private static void policy(Call call, MachineState m, PackageChange change, String name) {
            Optional<InstalledPackage> there = Optional.ofNullable(m.system().packages().get(name));
            Optional<PackageCatalog.Entry> candidate = change.candidate(name);
            if (there.isEmpty() && candidate.isEmpty()) {
                return;
            }
            String newest = candidate.map(PackageCatalog.Entry::version).orElse(there.map(InstalledPackage::version)
                    .orElse("(none)"));
            call.out().println(name + ":\n  Installed: " + there.map(InstalledPackage::version).orElse("(none)")
                    + "\n  Candidate: " + newest + "\n  Version table:\n " + (there.isPresent() ? "***" : "   ") + " "
                    + newest + " 500");
        }
    }

    /** {@code apt-mark hold|unhold|showhold|showmanual|auto|manual}. */
    static final class AptMark implements Command {
        @Override
        public int run(Call call) {
            List<String> o = call.operands();
            String verb = o.isEmpty() ? "" : o.getFirst();
            List<String> names = o.isEmpty() ? o : o.subList(1, o.size());
            switch (verb) {
                case "hold", "unhold", "auto", "manual" -> {
                    return mark(call, verb, names);
                }
                case "showhold" -> call.machine().state().system().packages().entrySet().stream()
                        .filter(e -> e.getValue().held()).map(Map.Entry::getKey).sorted()
                        .forEach(call.out()::println);
                case "showmanual" -> call.machine().state().system().packages().entrySet().stream()
                        .filter(e -> !e.getValue().automatic()).map(Map.Entry::getKey).sorted()
                        .forEach(call.out()::println);
                default -> {
                    call.err().println("E: Invalid operation " + verb);
                    return FAILED;
                }
            }
            return Call.OK;
        }

        private static int mark(Call call, String verb, List<String> names) {
            for (String name : names) {
                if (!call.machine().state().system().has(name)) {
                    call.err().println("E: Can't select installed nor candidate version from package '" + name
                            + "' as it has neither of them");
                    return FAILED;
                }
                call.machine().change((w, s) -> s.packages.computeIfPresent(name, (n, p) -> new InstalledPackage(
                        p.version(), verb.equals("hold") || p.held() && !verb.equals("unhold"),
                        verb.equals("auto") || p.automatic() && !verb.equals("manual"))));
                call.out().println(switch (verb) {
                    case "hold" -> name + " set on hold.";
                    case "unhold" -> "Canceled hold on " + name + ".";
                    case "auto" -> name + " set to automatically installed.";
                    default -> name + " set to manually installed.";
                });
            }
            return Call.OK;
        }
    }
}
