package dev.pitwall.card;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds a tower out of what each floor's own sources say. The rule: only the floor that explains the card speaks for
 * itself; a floor above it that is not fine either is a consequence and says what it waits for. A floor whose source
 * fails is unknown with its last known sentence, and never changes what the others say.
 */
final class Tower {
    /** Times the usual after which a wait counts as stuck. */
    private static final int TOO_LONG = 6;

    private final FloorTexts texts;

    Tower(FloorTexts texts) {
        this.texts = texts;
    }

    /** @param findings one for every floor */
    List<FloorStatus> build(Map<Floor, Finding> findings) {
        Map<Floor, FloorStatus> done = new EnumMap<>(Floor.class);
        List<String> silentSystems = new ArrayList<>();
        for (Floor floor : Floor.values()) {
            done.put(floor, status(floor, findings, done, silentSystems));
        }
        return List.copyOf(done.values());
    }

    private FloorStatus status(Floor floor, Map<Floor, Finding> findings, Map<Floor, FloorStatus> below,
                               List<String> silentSystems) {
        Finding finding = findings.get(floor);
        Optional<Trouble> trouble = finding.basis().filter(b -> !b.live()).flatMap(Observed::trouble);
        if (trouble.isPresent() && !notApplicable(finding)) {
            return unknown(floor, finding, trouble.get(), silentSystems);
        }
        if (keptFromBefore(finding) && !notApplicable(finding)) {
            return new FloorStatus(floor, FloorState.UNKNOWN, was(finding), Optional.empty(), finding.readings(),
                    Optional.empty());
        }
        return switch (finding.verdict()) {
            case Finding.Own own -> isConsequence(own.state(), below)
                    ? consequence(floor, finding, dependencyOf(floor), below)
                    : new FloorStatus(floor, own.state(), finding.summary(), finding.trap(), finding.readings(),
                            finding.progress());
            case Finding.WaitsFor waits -> waits.floor().compareTo(floor) > 0
                    ? waitsForUpper(floor, finding, waits.floor(), findings)
                    : consequence(floor, finding, waits.floor(), below);
        };
    }

    /** What an earlier run read is told as such until the source answers, never as a state of now. */
    private static boolean keptFromBefore(Finding finding) {
        return finding.basis().filter(b -> b.pending() && b.value().isPresent()).isPresent();
    }

    private static boolean notApplicable(Finding finding) {
        return finding.verdict() instanceof Finding.Own own && own.state() == FloorState.NOT_APPLICABLE;
    }

    /** The first floor of a silent system says so; the others say what was. */
    private FloorStatus unknown(Floor floor, Finding finding, Trouble trouble, List<String> silentSystems) {
        String system = finding.basis().map(Observed::system).orElse("");
        boolean first = !silentSystems.contains(system);
        silentSystems.add(system);
        String summary = first ? texts.say("unknown.source." + trouble.kind().name(), system) : was(finding);
        return new FloorStatus(floor, FloorState.UNKNOWN, summary, Optional.empty(), finding.readings(),
                Optional.empty());
    }

    private String was(Finding finding) {
        return finding.summary().isEmpty() ? texts.say("unknown.never") : texts.say("unknown.was", finding.summary());
    }

    private static boolean isConsequence(FloorState own, Map<Floor, FloorStatus> below) {
        return (own == FloorState.WAITING || own == FloorState.FAILING || own == FloorState.BLOCKED)
                && culprit(below).isPresent();
    }

    /** The floor below that explains the others; an unknown one explains nothing. */
    private static Optional<FloorStatus> culprit(Map<Floor, FloorStatus> below) {
        return below.values().stream()
                .filter(f -> !f.settled() && f.state() != FloorState.UNKNOWN && f.because().isEmpty()).findFirst();
    }

    private FloorStatus consequence(Floor floor, Finding finding, Floor dependency, Map<Floor, FloorStatus> below) {
        Optional<FloorStatus> culprit = culprit(below);
        if (culprit.isEmpty()) {
            return nothingBelowExplains(floor, finding, dependency, below);
        }
        Floor because = culprit.get().floor();
        return culprit.get().state() == FloorState.WAITING
                ? new FloorStatus(floor, FloorState.WAITING, texts.say("waits", texts.name(dependency)),
                        Optional.empty(), finding.readings(), Optional.empty(), Optional.of(because))
                : new FloorStatus(floor, FloorState.BLOCKED, texts.say("blocked", texts.name(because)),
                        Optional.empty(), finding.readings(), Optional.empty(), Optional.of(because));
    }

    private FloorStatus nothingBelowExplains(Floor floor, Finding finding, Floor dependency,
                                             Map<Floor, FloorStatus> below) {
        if (below.containsKey(dependency) && below.get(dependency).settled() && finding.progress().isPresent()) {
            return ownWait(floor, finding);
        }
        boolean dependencyUnknown = Optional.ofNullable(below.get(dependency))
                .filter(f -> f.state() == FloorState.UNKNOWN).isPresent();
        return dependencyUnknown
                ? new FloorStatus(floor, FloorState.UNKNOWN, texts.say("unknown.never"), Optional.empty(),
                        finding.readings(), Optional.empty(), Optional.of(dependency))
                : new FloorStatus(floor, FloorState.WAITING, texts.say("waits", texts.name(dependency)),
                        Optional.empty(), finding.readings(), Optional.empty(), Optional.of(dependency));
    }

    /** What it waits for is there, so the wait is its own; after many times the usual it is no wait any more. */
    private FloorStatus ownWait(Floor floor, Finding finding) {
        FloorStatus.Progress progress = finding.progress().orElseThrow();
        boolean tooLong = progress.elapsed().compareTo(progress.usual().multipliedBy(TOO_LONG)) > 0;
        return new FloorStatus(floor, tooLong ? FloorState.FAILING : FloorState.WAITING,
                tooLong ? texts.say("stuck", finding.summary()) : finding.summary(), finding.trap(),
                finding.readings(), tooLong ? Optional.empty() : finding.progress());
    }

    /** NFD's labels stand above the driver in the tower, yet the operator deploys no driver without them. */
    private FloorStatus waitsForUpper(Floor floor, Finding finding, Floor upper, Map<Floor, Finding> findings) {
        boolean broken = findings.get(upper).verdict() instanceof Finding.Own own && own.state() != FloorState.WAITING;
        return new FloorStatus(floor, broken ? FloorState.BLOCKED : FloorState.WAITING,
                texts.say(broken ? "blocked" : "waits", texts.name(upper)), Optional.empty(), finding.readings(),
                Optional.empty(), Optional.of(upper));
    }

    private static Floor dependencyOf(Floor floor) {
        return switch (floor) {
            case FIRMWARE, VFIO -> Floor.FIRMWARE;
            case VM -> Floor.VFIO;
            case DRIVER -> Floor.VM;
            case RUNTIME, DISCOVERY -> Floor.DRIVER;
            case PLUGIN, TELEMETRY -> Floor.RUNTIME;
            case PROOF -> Floor.PLUGIN;
            case SERVER -> Floor.PROOF;
        };
    }
}
