package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Commands;
import dev.pitwall.lab.ssh.software.Units;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code systemctl} and {@code service}. */
final class ServiceCommands {
    private ServiceCommands() {
    }

    static void install(Commands commands) {
        commands.add("systemctl", new Systemctl()).add("service", new Service());
    }

    /** {@code service NAME VERB}. */
    static final class Service implements Command {
        @Override
        public int run(Call call) {
            if (call.arguments().size() < 2) {
                call.err().println("Usage: service < option > | --status-all | [ service_name [ command | --full-restart ] ]");
                return 1;
            }
            return new Systemctl().run(call.with(List.of("systemctl", call.arguments().get(1),
                    call.arguments().getFirst())));
        }
    }

    static final class Systemctl implements Command {
        private static final int INACTIVE = 3;
        private static final int NO_SUCH_UNIT = 4;
        private static final int NOT_FOUND = 5;
        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

        @Override
        public int run(Call call) {
            Options options = Options.of(call, "qlan:ft:p:H:", "now", "no-pager", "quiet", "full", "all", "lines=",
                    "force",
                    "type=", "state=", "property=", "value", "no-block", "plain", "no-legend", "system", "failed");
            if (options.refused()) {
                return options.refuse(1);
            }
            List<String> o = options.operands();
            String verb = o.isEmpty() ? "list-units" : o.getFirst();
            List<String> units = o.isEmpty() ? List.of() : o.subList(1, o.size());
            return switch (verb) {
                case "is-active" -> each(call, units, (s, n) -> said(call, options, s.map(u -> u.active() ? "active"
                        : "inactive").orElse("inactive"), s.filter(Units.Status::active).isPresent() ? 0 : INACTIVE));
                case "is-enabled" -> each(call, units, (s, n) -> s.map(u -> said(call, options, u.enabled() ? "enabled"
                        : "disabled", u.enabled() ? 0 : 1)).orElseGet(() -> said(call, options, "not-found",
                        NO_SUCH_UNIT)));
                case "status" -> units.isEmpty() ? Call.OK : each(call, units, (s, n) -> status(call, s, n));
                case "show" -> each(call, units, (s, n) -> show(call, options, s));
                case "start", "restart", "reload", "reload-or-restart", "try-restart", "stop" ->
                        each(call, units, (s, n) -> turn(call, verb, s, n));
                case "enable", "disable" -> each(call, units, (s, n) -> enable(call, options, verb, s, n));
                case "daemon-reload", "reset-failed" -> Call.OK;
                case "is-system-running" -> said(call, options, "running", 0);
                case "list-units", "list-unit-files" -> list(call);
                case "reboot", "kexec" -> PowerCommands.go(call, PowerCommands.Way.REBOOT);
                case "poweroff", "halt" -> PowerCommands.go(call, PowerCommands.Way.OFF);
                default -> {
                    call.err().println("Unknown command verb '" + verb + "'.");
                    yield 1;
                }
            };
        }

        private interface One {
            int run(Optional<Units.Status> status, String name);
        }

        private static int each(Call call, List<String> units, One one) {
            if (units.isEmpty()) {
                call.err().println("Too few arguments.");
                return 1;
            }
            int status = Call.OK;
            for (String unit : units) {
                status = Math.max(status, one.run(call.machine().units().find(unit), full(unit)));
            }
            return status;
        }

        private static String full(String unit) {
            return unit.contains(".") ? unit : unit + ".service";
        }

        private static int said(Call call, Options options, String text, int status) {
            if (!options.has("q", "quiet")) {
                call.out().println(text);
            }
            return status;
        }

        private static int turn(Call call, String verb, Optional<Units.Status> status, String name) {
            if (status.isEmpty()) {
                call.err().println("Failed to " + (verb.startsWith("re") || verb.startsWith("try") ? "restart" : verb)
                        + " " + name + ": Unit " + name + " not found.");
                return NOT_FOUND;
            }
            if (verb.equals("stop")) {
                call.machine().units().stop(status.get());
                return Call.OK;
            }
            if (verb.equals("start") && status.get().active()) {
                return Call.OK;
            }
            if (!call.machine().units().start(status.get())) {
                call.err().println("Job for " + name + " failed because the control process exited with error code.\n"
                        + "See \"systemctl status " + name + "\" and \"journalctl -xeu " + name + "\" for details.");
                return 1;
            }
            return Call.OK;
        }

        private static int enable(Call call, Options options, String verb, Optional<Units.Status> status, String name) {
            if (status.isEmpty()) {
                call.err().println("Failed to " + verb + " unit: Unit file " + name + " does not exist.");
                return 1;
            }
            boolean on = verb.equals("enable");
            if (status.get().enabled() != on) {
                String link = "/etc/systemd/system/multi-user.target.wants/" + name;
                call.err().println(on ? "Created symlink " + link + " \u2192 /lib/systemd/system/" + name + "."
                        : "Removed \"" + link + "\".");
            }
            call.machine().units().enable(status.get(), on);
            return options.has("", "now") ? turn(call, on ? "start" : "stop", call.machine().units().find(name), name)
                    : Call.OK;
        }

        private static int status(Call call, Optional<Units.Status> found, String name) {
            if (found.isEmpty()) {
                call.err().println("Unit " + name + " could not be found.");
                return NO_SUCH_UNIT;
            }
            Units.Status s = found.get();
            MachineState m = call.machine().state();
            call.out().printf("%s %s - %s%n     Loaded: loaded (/lib/systemd/system/%s; %s; preset: enabled)%n",
                    s.active() ? "\u25cf" : "\u25cb", name, s.unit().description(), name,
                    s.enabled() ? "enabled" : "disabled");
            Duration ago = Duration.between(s.since(), m.now());
            call.out().printf("     Active: %s since %s UTC; %s ago%n", s.active() ? "active (running)"
                    : "inactive (dead)", TIME.format(s.since()), human(ago));
            return s.active() ? Call.OK : INACTIVE;
        }

        private static String human(Duration d) {
            return d.toDays() > 0 ? d.toDays() + " days" : d.toHours() > 0 ? d.toHours() + "h " + d.toMinutesPart()
                    + "min"
                    : d.toMinutes() > 0 ? d.toMinutes() + "min " + d.toSecondsPart() + "s" : d.toSeconds() + "s";
        }

        private static int show(Call call, Options options, Optional<Units.Status> found) {
            String wanted = options.value("p", "property").orElse("ActiveState,SubState,LoadState,UnitFileState");
            for (String property : wanted.split(",")) {
                String value = switch (property) {
                    case "LoadState" -> found.isPresent() ? "loaded" : "not-found";
                    case "ActiveState" -> found.filter(Units.Status::active).isPresent() ? "active" : "inactive";
                    case "SubState" -> found.filter(Units.Status::active).isPresent() ? "running" : "dead";
                    case "UnitFileState" -> found.map(s -> s.enabled() ? "enabled" : "disabled").orElse("");
                    default -> "";
                };
                call.out().println(options.has("", "value") ? value : property + "=" + value);
            }
            return Call.OK;
        }

        private static int list(Call call) {
            call.out().println("  UNIT                           LOAD   ACTIVE   SUB     DESCRIPTION");
            for (Units.Unit unit : call.machine().units().all()) {
                boolean active = call.machine().units().isActive(unit.name());
                call.out().printf("  %-30s loaded %-8s %-7s %s%n", unit.name() + ".service", active ? "active"
                        : "inactive",
                        active ? "running" : "dead", unit.description());
            }
            return Call.OK;
        }
    }
}
