package dev.pitwall.card;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What the node's operating system says: driver and container runtime. */
final class NodeFloors {
    /** The GPU has fallen off the bus. */
    private static final int XID_OFF_THE_BUS = 79;
    static final String LOST = "gpu-lost-off-bus";
    /** NVML's words for a card that does not answer any more, as nvidia-smi prints them. */
    private static final List<String> LOST_WORDS = List.of("GPU is lost", "fallen off the bus");
    private static final String GFD_DRIVER_VERSION = "nvidia.com/cuda.driver-version.full";

    private final FloorTexts texts;
    private final OperandWords words;

    NodeFloors(FloorTexts texts) {
        this.texts = texts;
        this.words = new OperandWords(texts);
    }

    Finding driver(CardPlace place, SiteFacts facts) {
        Optional<Observed<ClusterReport>> cluster = facts.cluster();
        Optional<Finding> noNode = withoutNode(place, cluster);
        if (noNode.isPresent()) {
            return noNode.get();
        }
        NodeReport node = place.node().orElseThrow();
        Observed<ClusterReport> source = cluster.orElseThrow();
        Operand operand = Operand.of(source, place);
        if (lost(place, facts)) {
            return Finding.failing(LOST, texts.say("driver.lost"))
                    .with(xidReading(place)).on(source);
        }
        if (!nodeReady(node)) {
            return Finding.own(FloorState.BLOCKED, texts.say("driver.nodeNotReady", node.name()))
                    .with(readyReading(operand)).on(source);
        }
        return loadedDriver(place, operand).orElseGet(() -> notLoaded(place, operand, facts.now()));
    }

    /** The node's absence is the driver floor's matter: it is the first floor inside the node. */
    private Optional<Finding> withoutNode(CardPlace place, Optional<Observed<ClusterReport>> cluster) {
        if (cluster.isEmpty()) {
            return Optional.of(Finding.own(FloorState.NOT_APPLICABLE, texts.say("cluster.none")));
        }
        Observed<ClusterReport> source = cluster.get();
        if (source.value().isEmpty()) {
            return Optional.of(Finding.own(FloorState.UNKNOWN, source.pending() ? texts.say("reading") : "").on(source));
        }
        if (place.node().isPresent()) {
            return Optional.empty();
        }
        boolean vmUp = place.holder().isPresent() && place.holder().equals(place.worker());
        if (place.substrate() == CardPlace.Substrate.PROXMOX && !vmUp) {
            return Optional.of(Finding.waitsFor(Floor.VM).on(source));
        }
        return Optional.of(Finding.own(FloorState.BLOCKED, place.holder()
                .map(vm -> texts.say("driver.vmNoNode", vm.vmid()))
                .orElse(texts.say("driver.machineNoNode", place.host()))).on(source));
    }

    /** DCGM keeps the last Xid, so only a fresh sample of a source that answers counts. */
    private boolean lost(CardPlace place, SiteFacts facts) {
        boolean live = facts.telemetry().filter(Observed::live).isPresent();
        return live && place.sample().filter(s -> Duration.between(s.sampledAt(), facts.now())
                        .compareTo(usual(texts, "sampleAge")) <= 0)
                .map(s -> s.gpu().lastXid()).filter(x -> x.isPresent() && x.getAsInt() == XID_OFF_THE_BUS).isPresent();
    }

    private static Reading xidReading(CardPlace place) {
        TelemetryReport.Sample sample = place.sample().orElseThrow();
        return Reading.of("last Xid", String.valueOf(XID_OFF_THE_BUS),
                new Source(Source.Kind.PROMETHEUS, sample.node(), "DCGM_FI_DEV_XID_ERRORS"), sample.sampledAt());
    }

    static boolean nodeReady(NodeReport node) {
        return node.conditions().stream().filter(c -> c.type().equals("Ready")).allMatch(c -> c.status().equals("True"));
    }

    private static Reading readyReading(Operand operand) {
        return operand.node().conditions().stream().filter(c -> c.type().equals("Ready")).findFirst()
                .map(c -> Reading.of("condition Ready", c.status() + c.reason().map(r -> " " + r).orElse(""),
                        operand.nodeSource(), at(operand)))
                .orElse(Reading.of("condition Ready", "absent", operand.nodeSource(), at(operand)));
    }

    private Optional<Finding> loadedDriver(CardPlace place, Operand operand) {
        String kernel = operand.node().kernel().orElse(texts.say("driver.someKernel"));
        Optional<Observed<MachineReport>> shell = place.nodeShell().filter(s -> s.value().isPresent());
        Optional<String> fromShell = shell.flatMap(Observed::value).flatMap(MachineReport::driverVersion);
        if (fromShell.isPresent()) {
            MachineReport machine = shell.get().value().orElseThrow();
            Optional<String> refusal = machine.nvidiaSmiError().filter(e -> concerns(place, e));
            if (refusal.isPresent()) {
                return Optional.of(loadedWithoutCard(shell.get(), refusal.get()));
            }
            return Optional.of(Finding.ok(texts.say("driver.loaded", fromShell.get(), machine.kernel()))
                    .with(Reading.of("loaded module", fromShell.get(), new Source(Source.Kind.SSH,
                            shell.get().system(), "cat /proc/driver/nvidia/version"), shell.get().at().orElseThrow()))
                    .on(shell.get()));
        }
        Optional<PodReport> pod = operand.pod(Operand.DRIVER);
        boolean podReady = pod.map(PodHealth::of).filter(PodHealth.Ready.class::isInstance).isPresent();
        if (pod.isPresent() && !podReady) {
            // Labels, resources and figures may all be of the driver that ran before.
            return Optional.empty();
        }
        boolean shellSaysNo = shell.filter(Observed::live).isPresent();
        Optional<String> version = place.sample().flatMap(s -> s.gpu().driverVersion())
                .or(() -> place.gpu().flatMap(GpuDevice::driverVersion))
                .or(() -> Optional.ofNullable(operand.node().labels().get(GFD_DRIVER_VERSION)));
        boolean works = podReady || GpuNodes.sum(operand.node().allocatable()) > 0 || place.sample().isPresent();
        return version.filter(v -> works && !shellSaysNo).map(v -> Finding.ok(texts.say("driver.loaded", v, kernel))
                .with(Reading.of("driver version", v, operand.nodeSource(), at(operand))).on(operand.cluster()));
    }

    /** On a machine with several cards the sentence names the one it is about by its bus address. */
    private static boolean concerns(CardPlace place, String smiError) {
        return place.share().of() == 1 || place.gpu().flatMap(GpuDevice::busId).map(PciAddress::toString)
                .filter(smiError.toLowerCase(Locale.ROOT)::contains).isPresent();
    }

    private Finding loadedWithoutCard(Observed<MachineReport> shell, String smiError) {
        Finding finding = LOST_WORDS.stream().anyMatch(smiError::contains)
                ? Finding.failing(LOST, texts.say("driver.lostBySmi"))
                : Finding.own(FloorState.FAILING, texts.say("driver.smi", smiError));
        return finding.with(Reading.of("nvidia-smi", smiError, new Source(Source.Kind.SSH, shell.system(),
                "nvidia-smi -q -x"), shell.at().orElseThrow())).on(shell);
    }

    private Finding notLoaded(CardPlace place, Operand operand, Instant now) {
        Optional<PodReport> pod = operand.pod(Operand.DRIVER);
        Optional<String> smiError = place.nodeShell().flatMap(Observed::value).flatMap(MachineReport::nvidiaSmiError);
        List<Reading> readings = new ArrayList<>();
        smiError.ifPresent(e -> readings.add(Reading.of("nvidia-smi", e, new Source(Source.Kind.SSH,
                operand.node().name(), "nvidia-smi"), at(operand))));
        if (pod.isPresent()) {
            return words.driver(operand, pod.get(), now).with(readings);
        }
        boolean operatorInstallsIt = operand.report().policy().filter(ClusterReport.PolicyReport::driverByOperator)
                .isPresent();
        boolean onlyPodsCouldTell = place.nodeShell().flatMap(Observed::value).isEmpty() && operand.pod(Operand.NFD_WORKER).isPresent();
        if ((operatorInstallsIt || onlyPodsCouldTell) && GpuNodes.nfdLabel(operand.node()).isEmpty()) {
            return Finding.waitsFor(Floor.DISCOVERY).on(operand.cluster());
        }
        return Finding.own(FloorState.FAILING, texts.say(operatorInstallsIt ? "driver.noPod" : "driver.none"))
                .with(readings).on(operand.cluster());
    }

    Finding runtime(CardPlace place, Optional<Observed<ClusterReport>> cluster, Instant now) {
        if (place.node().isEmpty() || cluster.flatMap(Observed::value).isEmpty()) {
            return aboveMissingNode(place, cluster, Floor.DRIVER);
        }
        Operand operand = Operand.of(cluster.get(), place);
        Optional<Observed<MachineReport>> shell = place.nodeShell()
                .filter(s -> s.value().flatMap(MachineReport::containerd).isPresent());
        if (shell.isPresent()) {
            return runtimeByShell(shell.get(), operand, now);
        }
        return operand.pod(Operand.TOOLKIT).map(pod -> PodHealth.of(pod) instanceof PodHealth.Ready
                        ? Finding.ok(texts.say(cdi(operand) ? "runtime.toolkitCdi" : "runtime.toolkit"))
                                .with(podReading(operand, pod)).on(cluster.get())
                        : words.operand(operand, pod, Floor.DRIVER, "runtime", now))
                .orElseGet(() -> runtimeByItsUsers(operand).on(cluster.get()));
    }

    /** Where the system brings the runtime itself, as Talos does, it shows in what it runs. */
    private Finding runtimeByItsUsers(Operand operand) {
        long allocatable = GpuNodes.sum(operand.node().allocatable());
        if (allocatable > 0) {
            return Finding.ok(texts.say("runtime.inferred")).with(Reading.of("allocatable GPUs",
                    String.valueOf(allocatable), operand.nodeSource(), at(operand)));
        }
        return Stream.of(Operand.GFD, Operand.EXPORTER).flatMap(apps -> operand.pod(apps).stream())
                .filter(pod -> PodHealth.of(pod) instanceof PodHealth.Ready).findFirst()
                .map(pod -> Finding.ok(texts.say("runtime.inUse", pod.app().orElse(pod.name())))
                        .with(podReading(operand, pod)))
                .orElseGet(() -> Finding.waitsFor(Floor.DRIVER));
    }

    private Finding runtimeByShell(Observed<MachineReport> shell, Operand operand, Instant now) {
        MachineReport.ContainerdSettings settings = shell.value().flatMap(MachineReport::containerd).orElseThrow();
        List<Reading> readings = List.of(
                Reading.of("runtime handlers", settings.runtimes().isEmpty() ? "none"
                        : String.join(", ", settings.runtimes()), containerd(shell), shell.at().orElseThrow()),
                new Reading("default runtime", settings.defaultRuntime(), containerd(shell), shell.at().orElseThrow()));
        boolean isDefault = settings.defaultRuntime().filter("nvidia"::equals).isPresent();
        boolean known = isDefault || settings.runtimes().contains("nvidia");
        if (known) {
            String key = isDefault ? "runtime.default" : "runtime.handler";
            return Finding.ok(texts.say(cdi(operand) || settings.cdiEnabled().orElse(false) ? key + "Cdi" : key))
                    .with(readings).on(shell);
        }
        Optional<PodReport> toolkit = operand.pod(Operand.TOOLKIT);
        boolean toolkitReady = toolkit.map(PodHealth::of).filter(PodHealth.Ready.class::isInstance).isPresent();
        if (toolkit.isPresent() && !toolkitReady) {
            return words.operand(operand, toolkit.get(), Floor.DRIVER, "runtime", now).with(readings);
        }
        return toolkitReady
                ? Finding.failing("runtime-handler-not-configured", texts.say("runtime.missing")).with(readings).on(shell)
                : Finding.waitsFor(Floor.DRIVER).with(readings).on(shell);
    }

    private static Source containerd(Observed<MachineReport> shell) {
        return new Source(Source.Kind.SSH, shell.system(), "containerd config.toml");
    }

    private static boolean cdi(Operand operand) {
        return operand.report().policy().filter(ClusterReport.PolicyReport::cdiEnabled).isPresent();
    }

    static Reading podReading(Operand operand, PodReport pod) {
        return Reading.of("pod " + pod.name(), pod.phase() + ", " + PodHealth.notReady(pod), operand.source(pod),
                at(operand));
    }

    /** For every floor above the driver: without a node there is nothing to say of its own. */
    Finding aboveMissingNode(CardPlace place, Optional<Observed<ClusterReport>> cluster, Floor waitsFor) {
        if (cluster.isEmpty()) {
            return Finding.own(FloorState.NOT_APPLICABLE, texts.say("cluster.none"));
        }
        return cluster.get().value().isEmpty()
                ? Finding.own(FloorState.UNKNOWN, cluster.get().pending() ? texts.say("reading") : "").on(cluster.get())
                : Finding.waitsFor(waitsFor).on(cluster.get());
    }

    private static Instant at(Operand operand) {
        return operand.cluster().at().orElse(Instant.EPOCH);
    }

    /** How long a wait may last before it is no longer normal, from {@code messages/floors.properties}. */
    static Duration usual(FloorTexts texts, String what) {
        return Duration.parse(texts.say("usual." + what));
    }
}
