package dev.pitwall.lab.talos;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabTalos;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.World;
import dev.talos.api.resource.Compatibility;
import dev.talos.api.resource.Constraint;
import dev.talos.api.resource.ExtensionLayer;
import dev.talos.api.resource.ExtensionMetadata;
import dev.talos.api.resource.HostnameStatusSpec;
import dev.talos.api.resource.KernelModuleSpecSpec;
import dev.talos.api.resource.LoadedKernelModuleSpec;
import dev.talos.api.resource.MachineConfigSpec;
import dev.talos.api.resource.MachineStatusSpec;
import dev.talos.api.resource.MachineStatusStatus;
import dev.talos.api.resource.NodeStatusSpec;
import dev.talos.api.resource.PCIDeviceSpec;
import dev.talos.api.resource.SecurityStateSpec;
import dev.talos.api.resource.SystemInformationSpec;
import dev.talos.api.resource.UnmetCondition;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The resources of a node that the node steps read, computed from its state: each with its protobuf and its YAML, as
 * {@code talosctl get -o yaml} shows it.
 */
final class NodeResources {
    /** A kind of resource; only an admin sees what is sensitive. */
    enum Type {
        EXTENSION("ExtensionStatuses.runtime.talos.dev", "runtime"),
        PCI_DEVICE("PCIDevices.hardware.talos.dev", "hardware"),
        SYSTEM_INFORMATION("SystemInformations.hardware.talos.dev", "hardware"),
        MODULE_SPEC("KernelModuleSpecs.runtime.talos.dev", "runtime"),
        LOADED_MODULE("LoadedKernelModules.runtime.talos.dev", "runtime"),
        SECURITY_STATE("SecurityStates.talos.dev", "runtime"),
        MACHINE_STATUS("MachineStatuses.runtime.talos.dev", "runtime"),
        MACHINE_CONFIG("MachineConfigs.config.talos.dev", "config"),
        NODE_STATUS("NodeStatuses.kubernetes.talos.dev", "k8s"),
        HOSTNAME("HostnameStatuses.net.talos.dev", "network");

        private final String type;
        private final String namespace;

        Type(String type, String namespace) {
            this.type = type;
            this.namespace = namespace;
        }

        String type() {
            return type;
        }

        String namespace() {
            return namespace;
        }

        boolean isSensitive() {
            return this == MACHINE_CONFIG;
        }
    }

    /** One resource without its version, which depends on who has seen it change. */
    record Item(String id, ByteString proto, String yaml, Map<String, String> labels) {
    }

    private final ModuleLoader modules;

    NodeResources(ModuleLoader modules) {
        this.modules = modules;
    }

    /** All of one type, in the order of their ids. Call inside the world's lock. */
    List<Item> of(World world, LabNode node, Type type) {
        LabTalos talos = node.talos.orElseThrow();
        Map<String, Item> items = new TreeMap<>();
        switch (type) {
            case EXTENSION -> extensions(items, node, talos);
            case PCI_DEVICE -> devices(items, world, node, talos);
            case SYSTEM_INFORMATION -> systemInformation(items, world, node);
            case MODULE_SPEC -> MachineConfig.inForce(talos.config).modules().forEach(name -> add(items, name,
                    KernelModuleSpecSpec.newBuilder().setName(name).build(),
                    ordered("string", name, "parameters", List.of())));
            case LOADED_MODULE -> talos.modules.forEach(name -> add(items, name,
                    LoadedKernelModuleSpec.newBuilder().setState("Live").build(), ordered("size", 0, "referenceCount", 0,
                            "state", "Live", "address", "0x0000000000000000")));
            case SECURITY_STATE -> securityState(items, world, node);
            case MACHINE_STATUS -> machineStatus(items, node, talos);
            case MACHINE_CONFIG -> {
                config(items, "v1alpha1", talos.config);
                config(items, "persistent", talos.savedConfig);
            }
            case NODE_STATUS -> nodeStatus(items, node);
            case HOSTNAME -> add(items, "hostname", HostnameStatusSpec.newBuilder().setHostname(node.name).build(),
                    ordered("hostname", node.name, "domainname", ""));
        }
        return List.copyOf(items.values());
    }

    /** The factory numbers them, and adds the schematic's id and the module index as if they were extensions. */
    private void extensions(Map<String, Item> items, LabNode node, LabTalos talos) {
        List<TalosData.Extension> present = modules.present(talos).toList();
        for (int i = 0; i < present.size(); i++) {
            TalosData.Extension extension = present.get(i);
            extension(items, String.valueOf(i), extension.shortName(), extension.version(), extension.author(),
                    extension.description(), "");
        }
        extension(items, String.valueOf(present.size()), "schematic", talos.schematic, "Image Factory",
                "Virtual extension which specifies the schematic of the image built with Image Factory.", "");
        if (present.stream().anyMatch(extension -> !extension.driver().isEmpty())) {
            extension(items, "modules.dep", "modules.dep", node.kernel, "Talos Machinery",
                    "combined modules.dep for all extensions", "");
        }
    }

    private static void extension(Map<String, Item> items, String id, String name, String version, String author,
                                  String description, String extra) {
        ExtensionMetadata.Builder metadata = ExtensionMetadata.newBuilder().setName(name).setVersion(version)
                .setAuthor(author).setDescription(description).setExtraInfo(extra);
        metadata.setCompatibility(Compatibility.newBuilder().setTalos(Constraint.newBuilder().setVersion(">= v1.0.0")));
        add(items, id, ExtensionLayer.newBuilder().setImage(id + ".sqsh").setMetadata(metadata).build(),
                ordered("image", id + ".sqsh", "metadata", ordered("name", name, "version", version, "author", author,
                        "description", description, "compatibility", ordered("talos", ordered("version", ">= v1.0.0")))));
    }

    private void devices(Map<String, Item> items, World world, LabNode node, LabTalos talos) {
        for (String id : node.cards) {
            LabCard card = world.cards.get(id);
            LabHost host = world.hosts.get(card.host);
            if (card.lost) {
                continue;
            }
            for (LabPci function : host.pci) {
                if (function.address.startsWith(card.slot + ".")) {
                    boolean display = function.classCode.startsWith("03");
                    String driver = display ? talos.modules.contains("nvidia") ? "nvidia" : ""
                            : "";
                    device(items, card.guestAddress + function.address.substring(card.slot.length()), function, driver);
                }
            }
        }
    }

    private static void device(Map<String, Item> items, String id, LabPci function, String driver) {
        String classId = "0x" + function.classCode.substring(0, 2);
        String subclass = "0x" + function.classCode.substring(2, 4);
        String mainClass = function.classCode.startsWith("03") ? "Display controller" : "Multimedia controller";
        Map<String, Object> yaml = ordered("class", mainClass, "subclass", function.className, "vendor",
                function.vendorName, "product", function.deviceName, "class_id", classId, "subclass_id", subclass,
                "vendor_id", "0x" + function.vendorId, "product_id", "0x" + function.deviceId, "driver", driver);
        yaml.values().removeIf(""::equals);
        add(items, id, PCIDeviceSpec.newBuilder().setClass_(mainClass).setSubclass(function.className)
                .setVendor(function.vendorName).setProduct(function.deviceName).setClassId(classId).setSubclassId(subclass)
                .setVendorId("0x" + function.vendorId).setProductId("0x" + function.deviceId).setDriver(driver).build(),
                yaml);
    }

    private static void systemInformation(Map<String, Item> items, World world, LabNode node) {
        LabHost host = world.hosts.get(node.host);
        String maker = node.vmid == 0 ? host.boardVendor : "QEMU";
        String product = node.vmid == 0 ? host.boardName : "Standard PC (Q35 + ICH9, 2009)";
        add(items, "systeminformation", SystemInformationSpec.newBuilder().setManufacturer(maker).setProductName(product)
                .setUuid(node.systemUuid).build(), ordered("manufacturer", maker, "productName", product, "uuid",
                node.systemUuid));
    }

    private static void securityState(Map<String, Item> items, World world, LabNode node) {
        LabVm vm = world.vms.get(node.vmid);
        boolean secure = vm != null && vm.running.getOrDefault("efidisk0", "").contains("pre-enrolled-keys=1");
        boolean uki = vm != null && vm.running.getOrDefault("bios", "seabios").equals("ovmf");
        add(items, "securitystate", SecurityStateSpec.newBuilder().setSecureBoot(secure).setBootedWithUki(uki)
                .setModuleSignatureEnforced(true).build(), ordered("secureBoot", secure, "bootedWithUKI", uki,
                "moduleSignatureEnforced", true));
    }

    private static void machineStatus(Map<String, Item> items, LabNode node, LabTalos talos) {
        boolean ready = node.ready;
        MachineStatusStatus.Builder status = MachineStatusStatus.newBuilder().setReady(ready);
        if (!ready) {
            status.addUnmetConditions(UnmetCondition.newBuilder().setName("nodeReady").setReason("node is not ready"));
        }
        MachineStatusSpec.Stage stage = MachineStatusSpec.Stage.valueOf(talos.stage.toUpperCase(Locale.ROOT));
        add(items, "machine", MachineStatusSpec.newBuilder().setStage(stage).setStatus(status).build(),
                ordered("stage", talos.stage, "status", ordered("ready", ready, "unmetConditions", ready ? List.of()
                        : List.of(ordered("name", "nodeReady", "reason", "node is not ready")))));
    }

    private static void config(Map<String, Item> items, String id, String yaml) {
        items.put(id, new Item(id, MachineConfigSpec.newBuilder().setYamlMarshalled(ByteString.copyFromUtf8(yaml)).build()
                .toByteString(), yaml, Map.of()));
    }

    private static void nodeStatus(Map<String, Item> items, LabNode node) {
        add(items, node.name, NodeStatusSpec.newBuilder().setNodename(node.name).setNodeReady(node.ready)
                .putAllLabels(node.labels).build(), ordered("nodename", node.name, "nodeReady", node.ready,
                "unschedulable", false, "labels", new TreeMap<>(node.labels), "annotations", Map.of()));
    }

    private static void add(Map<String, Item> items, String id, MessageLite proto, Map<String, ?> yaml) {
        items.put(id, new Item(id, proto.toByteString(), GoYaml.write(yaml), Map.of()));
    }

    private static Map<String, Object> ordered(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return map;
    }


}
