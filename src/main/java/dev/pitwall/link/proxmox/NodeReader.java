package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.HostReport;
import dev.pitwall.card.HostReport.PciMapping;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.TroubleException;
import dev.pitwall.card.VmReport;
import dev.pitwall.site.Together;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

/** Reads one node. Its version is asked once a boot; status, PCI functions and VM list with every read. */
final class NodeReader {
    private final ProxmoxApi api;
    private final String node;
    private final VmReader vms;
    private Optional<Booted> booted = Optional.empty();

    private record Booted(String version, long uptime) {
    }

    NodeReader(ProxmoxApi api, String node, InstantSource clock) {
        this.api = api;
        this.node = node;
        this.vms = new VmReader(api, node, clock);
    }

    HostReport read(Map<String, List<PciMapping>> mappings) throws TroubleException, InterruptedException {
        Fields status = new Fields(api.ofNode(node, "status"));
        List<PciFunction> functions = functions(api.pci(node));
        List<VmReport> machines = machines(api.ofNode(node, "qemu"));
        return new HostReport(node, version(status), status.number("uptime"), kernel(status),
                status.in("boot-info").text("mode"), status.in("boot-info").flag("secureboot"),
                status.in("cpuinfo").text("vendor"), flags(status), functions, machines, mappings);
    }

    private String version(Fields status) throws TroubleException, InterruptedException {
        OptionalLong uptime = status.number("uptime");
        boolean known = booted.isPresent() && uptime.isPresent() && uptime.getAsLong() >= booted.get().uptime();
        String version = known ? booted.get().version()
                : new Fields(api.ofNode(node, "version")).text("version").orElse("");
        booted = Optional.of(new Booted(version, uptime.orElse(Long.MAX_VALUE)));
        return version;
    }

    /** From 8.1 {@code current-kernel}; before, the second word of {@code Linux 5.15.131-2-pve #1 SMP …}. */
    private static Optional<String> kernel(Fields status) {
        return status.in("current-kernel").text("release")
                .or(() -> status.text("kversion").map(text -> text.split(" ")).filter(w -> w.length > 1).map(w -> w[1]));
    }

    private static List<String> flags(Fields status) {
        return status.in("cpuinfo").text("flags").map(text -> Arrays.asList(text.trim().split("\\s+"))).orElse(List.of());
    }

    private List<VmReport> machines(JsonNode rows) throws TroubleException, InterruptedException {
        Map<Integer, JsonNode> byId = new LinkedHashMap<>();
        rows.forEach(row -> new Fields(row).number("vmid").ifPresent(id -> byId.put((int) id, row)));
        vms.keepOnly(List.copyOf(byId.keySet()));
        List<Callable<Optional<VmReport>>> questions = byId.entrySet().stream()
                .<Callable<Optional<VmReport>>>map(e -> () -> vms.read(e.getKey(), e.getValue())).toList();
        return Together.all(questions).stream().flatMap(Optional::stream)
                .sorted(Comparator.comparingInt(VmReport::vmid)).toList();
    }

    private static List<PciFunction> functions(JsonNode list) {
        return list.valueStream().map(Fields::new).map(NodeReader::function).flatMap(Optional::stream)
                .sorted(Comparator.comparing(PciFunction::address)).toList();
    }

    private static Optional<PciFunction> function(Fields device) {
        return device.text("id").flatMap(PciAddress::parse).map(address -> new PciFunction(address,
                hex(device, "class").map(code -> code.substring(0, Math.min(4, code.length()))), Optional.empty(),
                hex(device, "vendor"), hex(device, "device"), name(device),
                hex(device, "subsystem_vendor").flatMap(v -> hex(device, "subsystem_device").map(d -> v + ":" + d)),
                Optional.empty(), List.of(), group(device), Optional.empty()));
    }

    private static Optional<String> hex(Fields device, String field) {
        return device.text(field).map(text -> text.toLowerCase(Locale.ROOT))
                .map(text -> text.startsWith("0x") ? text.substring(2) : text);
    }

    private static Optional<String> name(Fields device) {
        String vendor = device.text("vendor_name").orElse("");
        return device.text("device_name").map(name -> (vendor + " " + name).strip());
    }

    /** The API writes -1 for no group. */
    private static OptionalInt group(Fields device) {
        OptionalLong group = device.number("iommugroup");
        return group.isPresent() && group.getAsLong() >= 0 ? OptionalInt.of((int) group.getAsLong())
                : OptionalInt.empty();
    }
}
