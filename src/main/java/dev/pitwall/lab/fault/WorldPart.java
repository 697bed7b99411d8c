package dev.pitwall.lab.fault;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.talos.Schematic;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabTalos.NextImage;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PowerSwitch;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code world} in {@code lab/faults.yaml} says of the machine, the card and the model server a fault strikes. */
final class WorldPart {
    private static final String RUN_NVIDIA = "/run/nvidia/";
    private static final String GRUB = "/boot/grub/grub.cfg";
    private final JsonNode change;

    WorldPart(JsonNode change) {
        this.change = change;
    }

    void strike(FaultScope scope) {
        if (change.isMissingNode()) {
            return;
        }
        scope.node().ifPresent(node -> {
            if (change.path("boot").asBoolean()) {
                // Noted first and so taken back last: what was there counts from a boot on too.
                scope.undoWith(() -> boots(scope, node));
            }
            machine(scope, node);
        });
        card(scope, scope.card());
        scope.server().ifPresent(server -> server(scope, server));
    }

    private void machine(FaultScope scope, LabNode node) {
        text("kernel").ifPresent(value -> kernel(scope, node, value));
        text("containerRuntime").ifPresent(value -> scope.set(node, "containerRuntime", () -> node.containerRuntime,
                is -> node.containerRuntime = is, value));
        if (change.path("secureBoot").asBoolean()) {
            secureBoot(scope, node);
        }
        text("driver").ifPresent(value -> driver(scope, node, value.split(" ")));
        change.path("vm").properties().forEach(option -> Optional.ofNullable(scope.world().vms.get(node.vmid))
                .ifPresent(vm -> List.of(vm.config, vm.running).stream().filter(config -> !config.isEmpty())
                        .forEach(config -> option(scope, config, option.getKey(), option.getValue()))));
        talos(scope, node);
        if (change.path("boot").asBoolean()) {
            boots(scope, node);
        }
        change.path("files").properties().forEach(file -> file(scope, node, file.getKey(), file.getValue()));
        change.path("stuck").forEach(pod -> scope.add(node.stuckPods, pod.asText()));
        if (change.path("runtimeStuck").asBoolean()) {
            scope.set(node, "runtimeStuck", () -> node.runtimeStuck, is -> node.runtimeStuck = is, true);
        }
    }

    /** Another kernel, which GRUB starts from now on as well. */
    private static void kernel(FaultScope scope, LabNode node, String version) {
        Map<String, byte[]> files = scope.world().files(node.name).orElse(node.files);
        Optional.ofNullable(files.get(GRUB)).map(text -> new String(text, StandardCharsets.UTF_8))
                .ifPresent(text -> scope.put(files, GRUB, text.replace(node.kernel, version).getBytes(StandardCharsets.UTF_8)));
        scope.set(node, "kernel", () -> node.kernel, is -> node.kernel = is, version);
    }

    /** OVMF with enrolled keys runs Secure Boot; on bare metal the firmware does. (facts: proxmox.md 1.9) */
    private static void secureBoot(FaultScope scope, LabNode node) {
        LabVm vm = scope.world().vms.get(node.vmid);
        if (vm == null) {
            LabHost host = scope.host();
            scope.set(host, "secureBoot", () -> host.secureBoot, is -> host.secureBoot = is, true);
            return;
        }
        String disk = "local-lvm:vm-" + vm.vmid + "-disk-1,efitype=4m,pre-enrolled-keys=1,size=4M";
        List.of(vm.config, vm.running).stream().filter(config -> !config.isEmpty()).forEach(config -> {
            scope.put(config, "bios", "ovmf");
            scope.put(config, "efidisk0", disk);
        });
    }

    private static void option(FaultScope scope, Map<String, String> config, String key, JsonNode value) {
        if (value.isNull()) {
            scope.remove(config, key);
        } else {
            scope.put(config, key, value.asText());
        }
    }

    /** @param words {@code absent}, {@code host VERSION} or {@code container VERSION} */
    private static void driver(FaultScope scope, LabNode node, String... words) {
        scope.driver(node, () -> {
            switch (words[0]) {
                case "host" -> GuestDriver.load(scope.world(), node, words[1], GuestDriver.Source.HOST, scope.now());
                case "container" -> GuestDriver.load(scope.world(), node, words[1], GuestDriver.Source.CONTAINER,
                        scope.now());
                default -> GuestDriver.unload(scope.world(), node, scope.now());
            }
        });
        if (words[0].equals("absent")) {
            Map<String, byte[]> files = scope.world().files(node.name).orElse(node.files);
            List.copyOf(files.keySet()).stream().filter(path -> path.startsWith(RUN_NVIDIA))
                    .forEach(path -> scope.remove(files, path));
        }
    }

    /** Another image, in its configuration too if it was {@code installed}; it comes into force with a boot. */
    private void talos(FaultScope scope, LabNode node) {
        JsonNode image = change.path("talos");
        if (image.isMissingNode() || node.talos.isEmpty()) {
            return;
        }
        var talos = node.talos.get();
        if (image.path("medium").asBoolean()) {
            scope.set(talos, "onDisk", () -> talos.onDisk, is -> talos.onDisk = is,
                    Optional.of(new NextImage(talos.version, talos.schematic, talos.extensions)));
        }
        List<String> names = image.path("extensions").valueStream().map(JsonNode::asText).toList();
        Schematic schematic = Schematic.of(names);
        scope.put(scope.world().schematics, schematic.id(), schematic.canonical());
        scope.replace(talos.extensions, names);
        String before = talos.schematic;
        scope.set(talos, "schematic", () -> talos.schematic, is -> talos.schematic = is, schematic.id());
        if (image.path("installed").asBoolean()) {
            scope.set(talos, "savedConfig", () -> talos.savedConfig, is -> talos.savedConfig = is,
                    talos.savedConfig.replace(before, schematic.id()));
        }
    }

    private static void boots(FaultScope scope, LabNode node) {
        Optional.ofNullable(scope.world().vms.get(node.vmid)).filter(vm -> vm.status.equals("running"))
                .ifPresent(vm -> PowerSwitch.rebootGuest(scope.world(), vm, scope.now()));
    }

    private static void file(FaultScope scope, LabNode node, String path, JsonNode text) {
        Map<String, byte[]> files = scope.world().files(node.name).orElse(node.files);
        if (text.isNull()) {
            scope.remove(files, path);
        } else {
            scope.put(files, path, text.asText().getBytes(StandardCharsets.UTF_8));
        }
    }

    private void card(FaultScope scope, LabCard card) {
        JsonNode other = change.path("card");
        if (other.has("product")) {
            scope.set(card, "product", () -> card.product, is -> card.product = is, other.path("product").asText());
            LabPci gpu = scope.functions().getFirst();
            scope.set(gpu, "deviceId", () -> gpu.deviceId, is -> gpu.deviceId = is, other.path("device").asText());
            scope.set(gpu, "deviceName", () -> gpu.deviceName, is -> gpu.deviceName = is,
                    other.path("deviceName").asText());
        }
        if (change.has("xid")) {
            scope.set(card, "lastXid", () -> card.lastXid, is -> card.lastXid = is, change.path("xid").asInt());
        }
    }

    private void server(FaultScope scope, LabModelServer server) {
        text("loads").ifPresent(value -> scope.set(server, "loadTrouble", () -> server.loadTrouble,
                is -> server.loadTrouble = is, LabModelServer.LoadTrouble.valueOf(value)));
    }

    private Optional<String> text(String field) {
        return Optional.of(change.path(field).asText("")).filter(value -> !value.isEmpty());
    }
}
