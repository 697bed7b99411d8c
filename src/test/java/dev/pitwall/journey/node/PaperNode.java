package dev.pitwall.journey.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.GpuDevice;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PackageChange.Manager;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.ShellNode;
import dev.pitwall.read.KernelCommandLine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** A bare machine on paper, with one card, as it would be read. */
final class PaperNode {
    static final String KERNEL = "6.8.0-90-generic";

    final Map<String, String> choices = new HashMap<>();
    final TreeMap<String, String> installed = new TreeMap<>();
    final TreeMap<String, String> offered = new TreeMap<>();
    final Set<String> cutOff = new HashSet<>();
    final Map<String, Content> keys = new HashMap<>();
    final TreeMap<String, Content> files = new TreeMap<>();
    final Map<ObjectType, List<JsonNode>> objects = new HashMap<>();
    final List<String> modules = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    Map<String, String> release = Map.of("ID", "ubuntu", "ID_LIKE", "debian", "VERSION_ID", "24.04", "PRETTY_NAME", "Ubuntu 24.04");
    Manager manager = Manager.APT;
    String device = "25b0";
    String driverInUse = "";
    Optional<String> version = Optional.empty();
    Optional<String> trouble = Optional.empty();
    Optional<Boolean> secureBoot = Optional.of(false);
    boolean keyEnrolled;
    boolean kept;
    boolean runfile;
    boolean inNode = true;
    ShellNode.Way way = ShellNode.Way.SHELL;
    Optional<ShellNode.Engine> engine = Optional.of(ShellNode.Engine.K3S);

    PaperNode choose(String key, String value) {
        choices.put(key, value);
        return this;
    }

    /** What Ubuntu's archive has of a branch. */
    PaperNode ubuntu(int branch) {
        for (String kind : List.of("-server", "-server-open")) {
            offer("linux-modules-nvidia-" + branch + kind + "-" + KERNEL, "linux-modules-nvidia-" + branch + kind + "-generic",
                    "nvidia-headless-no-dkms-" + branch + kind, "nvidia-headless-" + branch + kind);
        }
        return offer("nvidia-utils-" + branch + "-server", "linux-headers-" + KERNEL);
    }

    PaperNode offer(String... names) {
        for (String name : names) {
            offered.put(name, "1.0");
        }
        return this;
    }

    PaperNode install(String... names) {
        for (String name : names) {
            installed.put(name, "1.0");
        }
        return this;
    }

    PaperNode object(ObjectType type, String yaml) {
        try {
            objects.computeIfAbsent(type, t -> new ArrayList<>()).add(new YAMLMapper().readTree(yaml));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Answer look(String step) {
        return NodeSteps.all(s -> Optional.empty(), s -> Optional.empty()).stream().filter(s -> s.id().equals(step)).findFirst()
                .orElseThrow().look(situation());
    }

    private Situation situation() {
        PciFunction card = new PciFunction(PciAddress.parse("0000:41:00.0").orElseThrow(), Optional.of("0300"),
                Optional.of("VGA compatible controller"), Optional.of("10de"), Optional.of(device), Optional.empty(),
                Optional.empty(), Optional.of(driverInUse).filter(d -> !d.isEmpty()), List.of(), OptionalInt.empty(),
                Optional.empty());
        HostSurvey host = new HostSurvey("anvil", Optional.empty(), KERNEL, "boot-1", 1000, "AuthenticAMD", true, "",
                new KernelCommandLine(KernelCommandLine.Loader.GRUB, List.of(), List.of()), KernelCommandLine.Loader.GRUB,
                List.of(), List.of(), Map.of(), List.of(card), Map.of(), Map.of(), List.of(), Map.of(), new TreeMap<>(),
                List.of(), List.of(), List.of(), Map.of());
        GpuDevice gpu = new GpuDevice(OptionalInt.of(0), Optional.of("RTX A1000"), Optional.empty(), Optional.empty(),
                version, OptionalLong.empty(), OptionalLong.empty(), OptionalDouble.empty(), OptionalDouble.empty(),
                OptionalDouble.empty(), OptionalInt.empty());
        ShellNode node = new ShellNode("anvil", "anvil", way, KERNEL, "boot-1", release, inNode ? List.of(card) : List.of(),
                new ShellNode.Software(Optional.of(manager), installed, cutOff, offered, keys),
                new ShellNode.Driver(modules, version, version.map(v -> true), version.isPresent() && trouble.isEmpty()
                        ? List.of(gpu) : List.of(), trouble, secureBoot, keyEnrolled, true, kept, runfile, log),
                new ShellNode.Runtime(engine, "k3s", List.of(), List.of()), files, Map.of());
        Optional<ClusterSurvey> cluster = objects.isEmpty() ? Optional.empty() : Optional.of(new ClusterSurvey("metal", "v1.33.5",
                ClusterSurvey.Distribution.K3S, objects, List.of(), Map.of(), Map.of(), Set.of(), Map.of()));
        return new Situation(new Situation.Subject("anvil/0000:41:00", "RTX A1000", "anvil",
                PciAddress.parse("0000:41:00").orElseThrow()), Choices.of(choices), host, Optional.empty(), Optional.empty(),
                objects.isEmpty() ? Map.of() : Map.of("uuid", "anvil")).with(cluster, Optional.of(node));
    }
}
