package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.software.PackageCatalog;
import dev.pitwall.lab.world.LabSystem.InstalledPackage;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** {@code dpkg -l|-s|-L|-S} and {@code dpkg-query -W}. */
final class Dpkg implements Command {
    @Override
    public int run(Call call) {
        Options options = Options.of(call, "lsLSWf:iPraC", "audit", "list", "status", "listfiles", "search", "show", "showformat=",
                "print-architecture", "configure", "pending",
                "get-selections");
        if (options.refused()) {
            call.err().println("dpkg: error: unknown option " + call.arguments().getFirst());
            return 2;
        }
        if (options.has("", "print-architecture")) {
            call.out().println("amd64");
            return Call.OK;
        }
        if (options.has("C", "audit") || options.has("", "configure")) {
            // Nothing is cut off here: what apt has begun, it ends.
            return Call.OK;
        }
        List<String> o = options.operands();
        if (options.has("l", "list")) {
            return list(call, o);
        }
        if (options.has("W", "show")) {
            return show(call, o, options.value("f", "showformat").orElse("${Package}\\t${Version}\\n"));
        }
        if (options.has("s", "status")) {
            return each(call, o, Dpkg::status);
        }
        if (options.has("L", "listfiles")) {
            return each(call, o, Dpkg::files);
        }
        if (options.has("S", "search")) {
            return search(call, o);
        }
        call.err().println("dpkg: error: need an action option");
        return 2;
    }

    static Pattern glob(String glob) {
        return Pattern.compile(Pattern.quote(glob).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q"));
    }

    private static Map<String, InstalledPackage> matching(Call call, List<String> globs) {
        Map<String, InstalledPackage> found = new TreeMap<>();
        call.machine().state().system().packages().forEach((name, p) -> {
            if (globs.isEmpty() || globs.stream().anyMatch(g -> glob(g).matcher(name).matches())) {
                found.put(name, p);
            }
        });
        return found;
    }

    private static int list(Call call, List<String> globs) {
        Map<String, InstalledPackage> found = matching(call, globs);
        if (found.isEmpty()) {
            globs.forEach(g -> call.err().println("dpkg-query: no packages found matching " + g));
            return 1;
        }
        call.out().println("Desired=Unknown/Install/Remove/Purge/Hold\n"
                + "| Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend\n"
                + "|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)\n"
                + "||/ Name           Version              Architecture Description\n"
                + "+++-==============-====================-============-=================================");
        found.forEach((name, p) -> call.out().printf("%s  %-14s %-20s %-12s %s%n", p.held() ? "hi" : "ii", name,
                p.version(), "amd64", summary(call, name)));
        return Call.OK;
    }

    private static String summary(Call call, String name) {
        MachineState m = call.machine().state();
        return call.machine().catalog().find(m.osId(), name, m.kernel()).map(PackageCatalog.Entry::summary).orElse("");
    }

    private static int show(Call call, List<String> globs, String format) {
        Map<String, InstalledPackage> found = matching(call, globs);
        if (found.isEmpty()) {
            globs.forEach(g -> call.err().println("dpkg-query: no packages found matching " + g));
            return 1;
        }
        found.forEach((name, p) -> call.out().print(ShellBuiltins.Printf.unescape(format.replace("${Package}", name)
                .replace("${binary:Package}", name).replace("${Version}", p.version())
                .replace("${Status}", (p.held() ? "hold" : "install") + " ok installed")
                .replace("${db:Status-Status}", "installed").replace("${db:Status-Abbrev}", p.held() ? "hi "
                        : "ii "))));
        return Call.OK;
    }

    private interface One {
        void print(Call call, String name, InstalledPackage p);
    }

    private static int each(Call call, List<String> names, One one) {
        int status = Call.OK;
        for (String name : names) {
            InstalledPackage p = call.machine().state().system().packages().get(name);
            if (p == null) {
                call.err().println("dpkg-query: package '" + name + "' is not installed");
                status = 1;
            } else {
                one.print(call, name, p);
            }
        }
        return status;
    }

    private static void status(Call call, String name, InstalledPackage p) {
        call.out().println("Package: " + name + "\nStatus: " + (p.held() ? "hold" : "install")
                + " ok installed\nArchitecture: amd64\nVersion: " + p.version() + "\nDescription: " + summary(call,
                        name));
    }

    private static void files(Call call, String name, InstalledPackage p) {
        MachineState m = call.machine().state();
        call.out().println("/.\n/usr\n/usr/share\n/usr/share/doc\n/usr/share/doc/" + name);
        call.machine().catalog().find(m.osId(), name, m.kernel())
                .ifPresent(e -> e.files().keySet().forEach(call.out()::println));
    }

    private static int search(Call call, List<String> patterns) {
        MachineState m = call.machine().state();
        int status = Call.OK;
        for (String pattern : patterns) {
            boolean any = false;
            for (PackageCatalog.Entry e : call.machine().catalog().all(m.osId(), m.kernel())) {
                for (String path : e.files().keySet()) {
                    if (m.system().has(e.name()) && path.contains(pattern)) {
                        call.out().println(e.name() + ": " + path);
                        any = true;
                    }
                }
            }
            if (!any) {
                call.err().println("dpkg-query: no path found matching pattern *" + pattern + "*");
                status = 1;
            }
        }
        return status;
    }
}
