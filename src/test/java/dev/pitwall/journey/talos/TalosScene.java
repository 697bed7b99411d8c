package dev.pitwall.journey.talos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Source;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Talos.Service;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.Shown;
import dev.pitwall.journey.survey.TalosNode;
import dev.pitwall.journey.survey.TalosShowing;
import dev.pitwall.read.KernelCommandLine;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** A Talos worker with a card that nobody has set up, until a test says more. */
final class TalosScene {
    static final String QEMU = "siderolabs/qemu-guest-agent";
    static final String FACTORY = "https://factory.talos.dev";

    String version = "v1.13.9";
    String card = "AD102 [GeForce RTX 4090]";
    Optional<Schematic> schematic = Optional.of(Schematic.empty().with(List.of(QEMU)));
    Optional<String> content = schematic.map(Schematic::canonical);
    boolean inNode = true;
    Optional<String> driver = Optional.empty();
    Set<String> modules = Set.of();
    String config = "{machine: {type: worker, install: {image: IMAGE}, kernel: {modules: null}, sysctls: null}}";
    List<Service> services = List.of();
    String kernelLog = "";
    Set<String> offered = Set.of();
    boolean secureBoot;
    final Map<String, Trouble> unread = new HashMap<>();
    final Map<String, String> choices = new HashMap<>();

    /** With the image of these extensions. */
    TalosScene with(Schematic image) {
        schematic = Optional.of(image);
        content = Optional.of(image.canonical());
        return this;
    }

    /** All done: image, modules, driver. */
    TalosScene done() {
        with(Schematic.empty().with(List.of(QEMU, "siderolabs/nvidia-open-gpu-kernel-modules-production",
                "siderolabs/nvidia-container-toolkit-production")));
        config = "{machine: {type: worker, install: {image: IMAGE}, kernel: {modules: [{name: nvidia}, {name: nvidia_uvm},"
                + " {name: nvidia_drm}, {name: nvidia_modeset}]}, sysctls: null}}";
        modules = Set.of("nvidia", "nvidia_uvm", "nvidia_drm", "nvidia_modeset");
        driver = Optional.of("nvidia");
        return this;
    }

    String reference(Schematic image) {
        return "factory.talos.dev/nocloud-installer/" + image.id() + ":" + version;
    }

    private PciFunction function(String at, Optional<String> bound) {
        return new PciFunction(PciAddress.parse(at).orElseThrow(), Optional.of("0300"), Optional.of("VGA compatible controller"),
                Optional.of("10de"), Optional.of("2684"), Optional.of(card), Optional.empty(), bound, List.of(),
                OptionalInt.empty(), Optional.empty());
    }

    private JsonNode fields() {
        try {
            return new YAMLMapper().readTree(config.replace("IMAGE", "'" + schematic.map(this::reference)
                    .orElse("ghcr.io/siderolabs/installer:" + version) + "'"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    Situation situation() {
        Map<String, Shown> shown = new HashMap<>();
        for (TalosShowing what : TalosShowing.values()) {
            shown.put(what.key(), new Shown(new Source(Source.Kind.TALOS, "w1", "talosctl"), Instant.EPOCH,
                    what == TalosShowing.KERNEL_LOG ? kernelLog : "", true));
        }
        TalosNode node = new TalosNode("w1", "10.0.0.7", version, "nocloud", "amd64", true, new TalosNode.Image(
                schematic.map(Schematic::id), content), extensions(), modules, inNode ? List.of(function("0000:01:00.0", driver))
                : List.of(), new TalosNode.Security(secureBoot, true), services,
                unread.containsKey(TalosShowing.CONFIG.key()) ? Optional.empty() : Optional.of(fields()), offered, FACTORY, unread,
                shown);
        HostSurvey host = new HostSurvey("pve1", Optional.of("9.1.2"), "6.17", "boot", 60, "GenuineIntel", true, "",
                new KernelCommandLine(KernelCommandLine.Loader.GRUB, List.of(), List.of()), KernelCommandLine.Loader.GRUB,
                List.of(), List.of(), Map.of(), List.of(function("0000:01:00.0", Optional.of("vfio-pci"))), Map.of(), Map.of(),
                List.of(), Map.of(), new TreeMap<>(), List.of(), List.of(), List.of(), Map.of());
        return new Situation(new Situation.Subject("pve1/0000:01:00", "RTX", "pve1", PciAddress.parse("0000:01:00").orElseThrow()),
                Choices.of(choices), host, Optional.empty()).with(Optional.empty(), Optional.of(node));
    }

    private List<TalosNode.Extension> extensions() {
        return schematic.map(s -> s.extensions().stream().map(name -> new TalosNode.Extension(
                name.replace("siderolabs/", ""), "1")).toList()).orElse(List.of());
    }

    Answer driverStep() {
        return new ExtensionPart().look(situation()).orElseThrow();
    }

    Answer runtimeStep() {
        return new ToolkitPart().look(situation()).orElseThrow();
    }
}
