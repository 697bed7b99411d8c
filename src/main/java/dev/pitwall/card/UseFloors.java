package dev.pitwall.card;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What shows that the card is used and usable: telemetry, proof, model server. */
final class UseFloors {
    private final FloorTexts texts;
    private final OperandWords words;
    private final NodeFloors nodes;

    UseFloors(FloorTexts texts, NodeFloors nodes) {
        this.texts = texts;
        this.words = new OperandWords(texts);
        this.nodes = nodes;
    }

    Finding telemetry(CardPlace place, SiteFacts facts) {
        if (place.node().isEmpty() || facts.cluster().flatMap(Observed::value).isEmpty()) {
            return nodes.aboveMissingNode(place, facts.cluster(), Floor.RUNTIME);
        }
        Observed<ClusterReport> cluster = facts.cluster().get();
        Operand operand = Operand.of(cluster, place);
        Optional<PodReport> exporter = operand.pod(Operand.EXPORTER);
        // Prometheus goes on giving the last samples of an exporter that has died.
        boolean broken = cluster.live() && exporter.filter(p -> PodHealth.of(p).isBroken()).isPresent();
        if (!broken && place.sample().isPresent() && facts.telemetry().isPresent()) {
            return sampled(place.sample().get(), facts);
        }
        if (exporter.isPresent() && !(PodHealth.of(exporter.get()) instanceof PodHealth.Ready)) {
            Finding finding = words.operand(operand, exporter.get(), Floor.RUNTIME, "telemetry", facts.now());
            return PodHealth.of(exporter.get()) instanceof PodHealth.OutOfMemory
                    ? finding.trapped("dcgm-exporter-oom") : finding;
        }
        return withoutSample(facts, operand, exporter);
    }

    private Finding withoutSample(SiteFacts facts, Operand operand, Optional<PodReport> exporter) {
        Optional<Observed<TelemetryReport>> source = facts.telemetry();
        if (source.isPresent() && source.get().value().isEmpty()) {
            return Finding.own(FloorState.UNKNOWN, source.get().pending() ? texts.say("reading") : "").on(source.get());
        }
        if (exporter.isEmpty() && operand.daemonSet(Operand.EXPORTER).isEmpty()) {
            return Finding.own(FloorState.NOT_APPLICABLE, texts.say("telemetry.none")).on(operand.cluster());
        }
        if (exporter.isEmpty()) {
            return Finding.waitsFor(Floor.RUNTIME).on(operand.cluster());
        }
        return source.map(s -> Finding.own(FloorState.WAITING, texts.say("telemetry.noSample")).on(s))
                .orElseGet(() -> Finding.own(FloorState.NOT_APPLICABLE, texts.say("telemetry.noSource"))
                        .on(operand.cluster()));
    }

    private Finding sampled(TelemetryReport.Sample sample, SiteFacts facts) {
        Observed<TelemetryReport> source = facts.telemetry().orElseThrow();
        GpuDevice gpu = sample.gpu();
        List<String> parts = new ArrayList<>();
        number(gpu.temperatureC()).ifPresent(t -> parts.add(texts.say("telemetry.temperature", t)));
        number(gpu.powerW()).ifPresent(p -> parts.add(texts.say("telemetry.power", p)));
        number(gpu.utilizationPercent()).ifPresent(u -> parts.add(texts.say("telemetry.busy", u)));
        Source dcgm = new Source(Source.Kind.PROMETHEUS, source.system(), "DCGM_FI_DEV_*{UUID=\""
                + gpu.uuid().orElse("") + "\"}");
        List<Reading> readings = List.of(
                new Reading("temperature", number(gpu.temperatureC()).map(v -> v + " °C"), dcgm, sample.sampledAt()),
                new Reading("power", number(gpu.powerW()).map(v -> v + " W"), dcgm, sample.sampledAt()),
                new Reading("utilisation", number(gpu.utilizationPercent()).map(v -> v + " %"), dcgm,
                        sample.sampledAt()),
                new Reading("memory used", gpu.memoryUsedMiB().isPresent()
                        ? Optional.of(gpu.memoryUsedMiB().getAsLong() + " MiB") : Optional.empty(), dcgm,
                        sample.sampledAt()),
                new Reading("last Xid", gpu.lastXid().isPresent() && gpu.lastXid().getAsInt() > 0
                        ? Optional.of(String.valueOf(gpu.lastXid().getAsInt())) : Optional.of("none"), dcgm,
                        sample.sampledAt()));
        String summary = parts.isEmpty() ? texts.say("telemetry.noFigures") : String.join(" · ", parts);
        Duration age = Duration.between(sample.sampledAt(), facts.now());
        boolean stale = age.compareTo(NodeFloors.usual(texts, "sampleAge")) > 0;
        return (stale ? Finding.own(FloorState.UNKNOWN, texts.say("telemetry.old", summary, FloorTexts.roughly(age)))
                : Finding.ok(summary)).with(readings).on(source);
    }

    /** DCGM prints "46.812000"; a person reads 47. */
    private static Optional<String> number(OptionalDouble value) {
        return value.isPresent() ? Optional.of(String.format(Locale.ROOT, "%.0f", value.getAsDouble()))
                : Optional.empty();
    }

    /** Pitwall's own proof; else the operator's CUDA check, which proves driver and runtime, not the scheduler. */
    Finding proof(CardPlace place, SiteFacts facts) {
        Optional<SiteFacts.ProofResult> own = Optional.ofNullable(facts.proofs().get(place.id()));
        if (place.node().isEmpty() || facts.cluster().flatMap(Observed::value).isEmpty()) {
            Finding missing = nodes.aboveMissingNode(place, facts.cluster(), Floor.PLUGIN);
            return own.map(result -> missing.with(reading(result))).orElse(missing);
        }
        Observed<ClusterReport> cluster = facts.cluster().get();
        Operand operand = Operand.of(cluster, place);
        if (GpuNodes.sum(operand.node().allocatable()) == 0) {
            return Finding.waitsFor(Floor.PLUGIN).on(cluster);
        }
        if (own.isPresent()) {
            return ownProof(own.get(), operand.node()).on(cluster);
        }
        return operand.pod(Operand.CUDA_VALIDATOR)
                .filter(p -> PodHealth.of(p) instanceof PodHealth.Completed)
                .map(pod -> Finding.ok(texts.say("proof.operator")).with(NodeFloors.podReading(operand, pod)).on(cluster))
                .orElseGet(() -> Finding.own(FloorState.NOT_APPLICABLE, texts.say("proof.none")).on(cluster));
    }

    /** A start of the node makes a proof old: it says nothing of the card as it is now. */
    private Finding ownProof(SiteFacts.ProofResult result, NodeReport node) {
        boolean old = result.boot().isPresent() && node.bootId().isPresent() && !result.boot().equals(node.bootId());
        String seconds = String.format(Locale.ROOT, "%.1f", result.tookMillis() / 1000.0);
        Finding finding = old ? Finding.own(FloorState.NOT_APPLICABLE, texts.say("proof.old"))
                : result.passed() ? Finding.ok(texts.say("proof.passed", seconds))
                : Finding.own(FloorState.FAILING, texts.say("proof.failed", seconds));
        return finding.with(reading(result));
    }

    private static Reading reading(SiteFacts.ProofResult result) {
        return Reading.of("vectorAdd", result.passed() ? "Test PASSED" : "failed",
                new Source(Source.Kind.JOURNAL, "pitwall", result.by()), result.at());
    }

    Finding server(CardPlace place, SiteFacts facts) {
        if (place.server().isPresent()) {
            Observed<ServerReport> server = place.server().get();
            return podInTrouble(place, server, facts).orElseGet(() -> boundServer(server));
        }
        boolean nodeUsable = place.node().isPresent();
        return nodeUsable || facts.cluster().isEmpty() || facts.cluster().get().value().isPresent()
                && place.worker().isEmpty() && place.substrate() != CardPlace.Substrate.PROXMOX
                ? Finding.own(FloorState.NOT_APPLICABLE, texts.say("server.none"))
                : nodes.aboveMissingNode(place, facts.cluster(), Floor.PROOF);
    }

    /** Why a server does not answer is told by its pod, where that is known; a server that answers needs no such help. */
    private Optional<Finding> podInTrouble(CardPlace place, Observed<ServerReport> server, SiteFacts facts) {
        Optional<Observed<ClusterReport>> cluster = facts.cluster().filter(c -> c.live() && !server.live());
        Optional<SiteFacts.ServerPlace> at = Optional.ofNullable(facts.serverPlaces().get(server.system()));
        Optional<PodReport> pod = cluster.flatMap(Observed::value).flatMap(report -> report.pods().stream()
                .filter(p -> at.flatMap(SiteFacts.ServerPlace::pod).filter(p.name()::equals).isPresent()
                        && at.flatMap(SiteFacts.ServerPlace::namespace).filter(p.namespace()::equals).isPresent())
                .findFirst());
        return pod.filter(p -> place.node().isPresent() && !(PodHealth.of(p) instanceof PodHealth.Ready))
                .map(p -> words.server(server.system(), Operand.of(cluster.get(), place), p, facts.now()));
    }

    private Finding boundServer(Observed<ServerReport> observed) {
        return observed.value().map(s -> {
            int loaded = s.loaded().size();
            Source source = new Source(Source.Kind.MODELS, observed.system(), "GET /api/ps");
            List<Reading> readings = new ArrayList<>();
            readings.add(new Reading("version", s.version(), source, observed.at().orElseThrow()));
            s.loaded().forEach(m -> readings.add(Reading.of(m.name(), m.vramBytes().isPresent()
                            ? m.vramBytes().getAsLong() / (1 << 20) + " MiB on the card" : "loaded", source,
                    observed.at().orElseThrow())));
            return Finding.ok(loaded == 0 ? texts.say("server.idle", s.name())
                    : loaded == 1 ? texts.say("server.oneModel", s.name(), s.loaded().getFirst().name())
                    : texts.say("server.models", s.name(), loaded)).with(readings).on(observed);
        }).orElseGet(() -> Finding.own(FloorState.UNKNOWN, observed.pending() ? texts.say("reading") : "").on(observed));
    }
}
