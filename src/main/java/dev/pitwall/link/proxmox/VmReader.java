package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.card.VmReport;
import dev.pitwall.card.VmReport.Passthrough;
import dev.pitwall.card.VmReport.Status;
import dev.pitwall.read.PropertyText;
import dev.pitwall.read.VmConfigReader;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Reads the VMs of one node with few requests. The list of VMs comes with every read. A VM's configuration is read
 * again when its row in the list changed, when it has passed-through devices, or after a minute; its pending changes
 * only when the configuration's digest or the VM's process changed.
 */
final class VmReader {
    private static final Duration RE_READ_AFTER = Duration.ofMinutes(1);
    private static final Pattern HOSTPCI = Pattern.compile("hostpci(1[0-5]|[0-9])");

    private final ProxmoxApi api;
    private final String node;
    private final InstantSource clock;
    private final Map<Integer, Known> known = new ConcurrentHashMap<>();

    /**
     * What is remembered of a VM.
     *
     * @param row the parts of its list row that change with its configuration or process
     */
    private record Known(String row, Instant at, JsonNode config, JsonNode pending, boolean hasDevices) {
        Known(String row, Instant at, JsonNode config, JsonNode pending) {
            this(row, at, config, pending,
                    config.properties().stream().anyMatch(e -> HOSTPCI.matcher(e.getKey()).matches())
                            || pending.valueStream().anyMatch(p -> HOSTPCI.matcher(p.path("key").asText()).matches()));
        }
    }

    VmReader(ProxmoxApi api, String node, InstantSource clock) {
        this.api = api;
        this.node = node;
        this.clock = clock;
    }

    /** Forgets VMs that the list no longer has. */
    void keepOnly(List<Integer> vmids) {
        known.keySet().retainAll(vmids);
    }

    /**
     * @param row the VM in the node's list
     * @return empty if the VM has gone since the list was read
     */
    Optional<VmReport> read(int vmid, JsonNode row) throws TroubleException, InterruptedException {
        Optional<Known> vm = fresh(vmid, row);
        if (vm.isEmpty()) {
            known.remove(vmid);
            return Optional.empty();
        }
        known.put(vmid, vm.get());
        boolean askState = vm.get().hasDevices() && !new Fields(row).text("status").orElse("").equals("stopped");
        JsonNode state = askState ? api.ofVm(node, vmid, "status/current").orElse(row) : row;
        return Optional.of(report(vmid, vm.get(), new Fields(row), new Fields(state)));
    }

    private Optional<Known> fresh(int vmid, JsonNode row) throws TroubleException, InterruptedException {
        String mark = mark(new Fields(row));
        Known before = known.get(vmid);
        Instant now = clock.instant();
        if (before != null && before.row().equals(mark) && !before.hasDevices()
                && Duration.between(before.at(), now).compareTo(RE_READ_AFTER) < 0) {
            return Optional.of(before);
        }
        Optional<JsonNode> config = api.ofVm(node, vmid, "config");
        if (config.isEmpty()) {
            return Optional.empty();
        }
        String digest = config.get().path("digest").asText();
        boolean same = before != null && before.row().equals(mark) && !digest.isEmpty()
                && digest.equals(before.config().path("digest").asText());
        JsonNode pending = same ? before.pending()
                : api.ofVm(node, vmid, "pending").orElse(MissingNode.getInstance());
        return Optional.of(new Known(mark, now, config.get(), pending));
    }

    private static String mark(Fields row) {
        return String.join("|", List.of("status", "pid", "name", "lock", "cpus", "maxmem", "maxdisk", "template", "tags")
                .stream().map(field -> row.text(field).orElse("")).toList());
    }

    private VmReport report(int vmid, Known vm, Fields row, Fields state) {
        Fields config = new Fields(vm.config());
        List<Passthrough> configured = new ArrayList<>();
        vm.config().properties().forEach(e -> add(configured, e.getKey(), e.getValue().asText()));
        List<Passthrough> running = new ArrayList<>();
        List<String> pendingKeys = new ArrayList<>();
        vm.pending().valueStream().map(Fields::new).forEach(entry -> {
            String key = entry.text("key").orElse("");
            entry.text("value").ifPresent(value -> add(running, key, value));
            if (entry.text("pending").isPresent() || entry.flag("delete").orElse(false)) {
                pendingKeys.add(key);
            }
        });
        Comparator<Passthrough> byKey = Comparator.comparingInt(p -> Integer.parseInt(p.key().substring(7)));
        configured.sort(byKey);
        running.sort(byKey);
        return new VmReport(vmid, config.text("name").or(() -> row.text("name")).orElse("VM " + vmid), status(state),
                config.text("smbios1").flatMap(PropertyText::smbiosUuid), machine(state, config),
                config.text("bios").orElse("seabios"),
                status(state) == Status.STOPPED ? OptionalLong.empty() : state.number("uptime"),
                configured, vm.pending().isArray() ? running : configured, pendingKeys,
                state.text("lock").or(() -> row.text("lock")).or(() -> config.text("lock")),
                config.flag("template").orElse(false), config.flag("onboot").orElse(false), config.text("ostype"));
    }

    private static Optional<String> machine(Fields state, Fields config) {
        return state.text("running-machine")
                .or(() -> config.text("machine").flatMap(text -> PropertyText.parse(text, "type").get("type")));
    }

    private static void add(List<Passthrough> list, String key, String value) {
        if (HOSTPCI.matcher(key).matches()) {
            VmConfigReader.passthrough(key, value).ifPresent(list::add);
        }
    }

    /** {@code prelaunch} is a VM whose start waits, as during the backup of a stopped one (facts 1.11). */
    private static Status status(Fields state) {
        return switch (state.text("qmpstatus").or(() -> state.text("status")).orElse("")) {
            case "running" -> Status.RUNNING;
            case "paused", "prelaunch", "suspended", "postmigrate", "inmigrate" -> Status.PAUSED;
            case "stopped" -> Status.STOPPED;
            default -> state.text("status").filter("running"::equals).isPresent() ? Status.RUNNING : Status.UNKNOWN;
        };
    }
}
