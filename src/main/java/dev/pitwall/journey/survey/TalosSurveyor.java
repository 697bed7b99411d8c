package dev.pitwall.journey.survey;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ImageFactory;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Talos;
import dev.pitwall.journey.Talos.Resource;
import dev.pitwall.journey.Talos.ResourceType;
import dev.pitwall.journey.Talos.Service;
import dev.pitwall.journey.change.YamlText;
import dev.pitwall.journey.survey.TalosNode.Extension;
import dev.pitwall.journey.survey.TalosNode.Image;
import dev.pitwall.journey.survey.TalosNode.Security;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads a Talos node through its machine API, and what its image is made of from the Image Factory. */
public final class TalosSurveyor {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String NVIDIA = "0x10de";
    /** The extension that the Image Factory adds to say what the image is made of. */
    private static final String SCHEMATIC = "schematic";
    /** Kernel modules by that name, and lines of the log that tell what became of them. */
    private static final Pattern OF_DRIVER = Pattern.compile("(?i).*(?:nvidia|NVRM|nouveau|KernelModuleSpecController).*");
    private static final int MOST_LINES = 200;

    private static final Trouble NO_ACCESS = new Trouble(Trouble.Kind.MISSING, "site", "the site has no talosconfig",
            "Add \"talos\": {\"talosconfig\": \"PATH\"} to the site file; its role has to be os:admin for changes.");

    private final InstantSource clock;

    public TalosSurveyor(InstantSource clock) {
        this.clock = clock;
    }

    /** The fields of the machine configuration that are read: where pods, images, modules, labels and taints come from. */
    static JsonNode fields() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ObjectNode machine = root.putObject("machine");
        machine.putNull("type");
        machine.putObject("install").putNull("image");
        machine.putObject("kernel").putNull("modules");
        machine.putNull("sysctls");
        machine.putNull("nodeLabels");
        machine.putNull("nodeTaints");
        return root;
    }

    /**
     * A node by its name in the cluster.
     *
     * @param object the node in the cluster; empty where no cluster can be asked
     * @return empty if it does not run Talos; what keeps it from being read where it does
     */
    public Optional<NodeSurvey> survey(Systems systems, String name, Optional<JsonNode> object) throws InterruptedException {
        if (object.filter(node -> !node.at("/status/nodeInfo/osImage").asText().startsWith("Talos")).isPresent()) {
            return Optional.empty();
        }
        try {
            Optional<Talos> talos = systems.talos();
            if (talos.isEmpty()) {
                return object.map(node -> new UnreadNode(name, NO_ACCESS));
            }
            Optional<String> address = object.isPresent() ? object.flatMap(TalosSurveyor::internalAddress)
                    : address(talos.get(), name);
            return address.isEmpty() ? Optional.empty()
                    : Optional.of(new Reading(talos.get(), systems.imageFactory(), name, address.get()).read());
        } catch (TroubleException e) {
            return Optional.of(new UnreadNode(name, e.trouble()));
        }
    }

    /** The nodes that the talosconfig names are asked. */
    private static Optional<String> address(Talos talos, String name) throws TroubleException, InterruptedException {
        for (String address : talos.nodes()) {
            if (isCalled(talos, address, name)) {
                return Optional.of(address);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> internalAddress(JsonNode node) {
        return node.at("/status/addresses").valueStream().filter(a -> a.path("type").asText().equals("InternalIP"))
                .map(a -> a.path("address").asText()).findFirst();
    }

    /** One that is off is not the one. */
    private static boolean isCalled(Talos talos, String address, String name) throws TroubleException, InterruptedException {
        try {
            return talos.list(address, ResourceType.NODE_STATUS).stream()
                    .anyMatch(r -> r.spec().path("nodename").asText(r.id()).equals(name));
        } catch (TroubleException e) {
            if (e.trouble().kind().unreachable()) {
                return false;
            }
            throw e;
        }
    }

    /** One survey. */
    private final class Reading {
        private final Talos talos;
        private final Optional<ImageFactory> factory;
        private final String name;
        private final String address;
        private final Map<String, Shown> shown = new HashMap<>();
        private final Map<String, Trouble> unread = new HashMap<>();

        Reading(Talos talos, Optional<ImageFactory> factory, String name, String address) {
            this.talos = talos;
            this.factory = factory;
            this.name = name;
            this.address = address;
        }

        TalosNode read() throws TroubleException, InterruptedException {
            Talos.Version version = talos.version(address);
            show(TalosShowing.VERSION, version.tag() + " " + version.platform() + " " + version.arch() + "\n");
            List<Resource> extensions = list(TalosShowing.EXTENSIONS, ResourceType.EXTENSION);
            Optional<String> schematic = extensions.stream().map(Resource::spec)
                    .filter(s -> s.at("/metadata/name").asText().equals(SCHEMATIC))
                    .map(s -> s.at("/metadata/version").asText()).findFirst();
            Set<String> modules = list(TalosShowing.MODULES, ResourceType.LOADED_MODULE).stream().map(Resource::id)
                    .collect(Collectors.toSet());
            List<PciFunction> devices = devices(list(TalosShowing.DEVICES, ResourceType.PCI_DEVICE));
            JsonNode security = first(list(TalosShowing.SECURITY, ResourceType.SECURITY));
            JsonNode status = first(list(TalosShowing.STATUS, ResourceType.MACHINE_STATUS));
            List<Service> services = services();
            log(modules);
            return new TalosNode(name, address, version.tag(), version.platform(), version.arch(),
                    status.path("stage").asText().equals("running") && status.at("/status/ready").asBoolean(),
                    new Image(schematic, content(schematic)), extensions(extensions), modules, devices,
                    new Security(security.path("secureBoot").asBoolean(),
                            security.path("moduleSignatureEnforced").asBoolean()),
                    services, config(), offered(version.tag()), factory.map(ImageFactory::address).orElse(""), unread,
                    shown);
        }

        private List<Resource> list(TalosShowing what, ResourceType type) throws TroubleException, InterruptedException {
            List<Resource> all = talos.list(address, type);
            show(what, all.stream().map(r -> r.id() + ":\n" + YamlText.of(r.spec()).indent(2))
                    .collect(Collectors.joining()));
            return all;
        }

        private void show(TalosShowing what, String raw) {
            shown.put(what.key(), new Shown(what.source(name, address), clock.instant(), raw, true));
        }

        private static JsonNode first(List<Resource> resources) {
            return resources.stream().map(Resource::spec).findFirst()
                    .orElseGet(JsonNodeFactory.instance::objectNode);
        }

        private static List<PciFunction> devices(List<Resource> resources) {
            return resources.stream().filter(r -> r.spec().path("vendor_id").asText().equals(NVIDIA))
                    .flatMap(r -> PciAddress.parse(r.id()).map(at -> device(at, r.spec())).stream())
                    .sorted(Comparator.comparing(f -> f.address().toString())).toList();
        }

        private static PciFunction device(PciAddress at, JsonNode spec) {
            return new PciFunction(at, Optional.of(hex(spec, "class_id") + hex(spec, "subclass_id")),
                    text(spec, "subclass").or(() -> text(spec, "class")), Optional.of(hex(spec, "vendor_id")),
                    Optional.of(hex(spec, "product_id")), text(spec, "product"), Optional.empty(), text(spec, "driver"),
                    List.of(), OptionalInt.empty(), Optional.empty());
        }

        /** Talos writes {@code 0x03} and {@code 0x10de}. */
        private static String hex(JsonNode spec, String field) {
            return spec.path(field).asText().replaceFirst("^0x", "");
        }

        private static Optional<String> text(JsonNode spec, String field) {
            return Optional.of(spec.path(field).asText("")).filter(value -> !value.isEmpty());
        }

        private static List<Extension> extensions(List<Resource> resources) {
            return resources.stream().map(r -> r.spec().path("metadata"))
                    .map(m -> new Extension(m.path("name").asText(), m.path("version").asText()))
                    .filter(e -> !e.name().equals(SCHEMATIC) && !e.name().equals("modules.dep")).toList();
        }

        private List<Service> services() throws TroubleException, InterruptedException {
            List<Service> services = talos.services(address);
            show(TalosShowing.SERVICES, services.stream().map(s -> s.id() + "  " + s.state() + "  " + s.says() + "\n")
                    .collect(Collectors.joining()));
            return services;
        }

        /** What the kernel says of the driver, and the driver's own word where it is loaded. */
        private void log(Set<String> modules) throws InterruptedException {
            attempt(TalosShowing.KERNEL_LOG, () -> talos.kernelLog(address), log -> {
                List<String> lines = log.lines().filter(line -> OF_DRIVER.matcher(line).matches()).toList();
                return String.join("\n", lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size()));
            });
            if (modules.contains("nvidia")) {
                attempt(TalosShowing.DRIVER, () -> talos.read(address, "/proc/driver/nvidia/version").orElse(""),
                        Function.identity());
            }
        }

        private Optional<JsonNode> config() throws InterruptedException {
            return attempt(TalosShowing.CONFIG, () -> talos.config(address, fields()), YamlText::of);
        }

        private Optional<String> content(Optional<String> schematic) throws InterruptedException {
            if (schematic.isEmpty() || factory.isEmpty()) {
                return Optional.empty();
            }
            String call = "GET " + factory.get().address() + "/schematics/" + schematic.get();
            return ofFactory(TalosShowing.SCHEMATIC, call, () -> factory.get().schematic(schematic.get())
                    .map(Reading::withoutSecrets), found -> found.orElse("")).flatMap(Function.identity());
        }

        /** A configuration that is embedded has secrets; that there is one is all that is kept. */
        private static String withoutSecrets(String yaml) {
            try {
                JsonNode tree = YAML.readTree(yaml);
                if (tree.path("customization").has("embeddedMachineConfiguration")) {
                    ((ObjectNode) tree.path("customization")).put("embeddedMachineConfiguration", "(not shown)");
                    return YamlText.of(tree);
                }
                return yaml;
            } catch (JsonProcessingException e) {
                return "";
            }
        }

        private Set<String> offered(String version) throws InterruptedException {
            if (factory.isEmpty()) {
                return Set.of();
            }
            String call = "GET " + factory.get().address() + "/version/" + version + "/extensions/official";
            return ofFactory(TalosShowing.OFFERED, call, () -> factory.get().extensions(version),
                    names -> names.stream().map(n -> n + "\n").collect(Collectors.joining()))
                    .map(names -> (Set<String>) new HashSet<>(names)).orElse(Set.of());
        }

        private <T> Optional<T> ofFactory(TalosShowing what, String call, Question<T> question, Function<T, String> raw)
                throws InterruptedException {
            return attempt(what, new Source(Source.Kind.TALOS, name, call), question, raw);
        }

        private <T> Optional<T> attempt(TalosShowing what, Question<T> question, Function<T, String> raw)
                throws InterruptedException {
            return attempt(what, what.source(name, address), question, raw);
        }

        /** What may be denied to a reader must not keep the rest from being told. */
        private <T> Optional<T> attempt(TalosShowing what, Source source, Question<T> question, Function<T, String> raw)
                throws InterruptedException {
            try {
                T answer = question.ask();
                shown.put(what.key(), new Shown(source, clock.instant(), raw.apply(answer), true));
                return Optional.of(answer);
            } catch (TroubleException e) {
                unread.put(what.key(), e.trouble());
                shown.put(what.key(), new Shown(source, clock.instant(), e.trouble().what(), false));
                return Optional.empty();
            }
        }
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask() throws TroubleException, InterruptedException;
    }
}
