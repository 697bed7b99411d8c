package dev.pitwall.card;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Says what an operand's pod that is not ready comes to. "Waiting" never looks like "failing". */
final class OperandWords {
    private final FloorTexts texts;

    OperandWords(FloorTexts texts) {
        this.texts = texts;
    }

    /** The driver's pod: it compiles for minutes, and its ways to fail have names of their own. */
    Finding driver(Operand operand, PodReport pod, Instant now) {
        Finding finding = switch (PodHealth.of(pod)) {
            case PodHealth.Starting s -> waiting("driver.compiling", s.since(), now, "driver")
                    .trapped("waiting-driver-compiling");
            case PodHealth.Initialising i -> waiting("driver.preparing", i.since(), now, "driver");
            case PodHealth.OutOfMemory o -> Finding.failing("driver-oom-while-compiling",
                    texts.say("driver.oom", o.restarts()));
            case PodHealth.ImageUnavailable i -> Finding.failing("driver-image-not-published-for-os",
                    texts.say("driver.noImage", i.reason()));
            case PodHealth.Ready r -> Finding.own(FloorState.WAITING, texts.say("driver.justReady"));
            case PodHealth other -> generic(other, "driver", now);
        };
        return finding.with(NodeFloors.podReading(operand, pod)).on(operand.cluster());
    }

    /** Any other operand: until its init containers are through it waits for the floor below. */
    Finding operand(Operand operand, PodReport pod, Floor dependency, String usual, Instant now) {
        Finding finding = switch (PodHealth.of(pod)) {
            case PodHealth.Initialising i -> initialising(i, dependency, usual, now);
            case PodHealth other -> generic(other, usual, now);
        };
        return finding.with(NodeFloors.podReading(operand, pod)).on(operand.cluster());
    }

    /** Its init container waits for the floor below; should that be fine, the wait is the operand's own. */
    private Finding initialising(PodHealth.Initialising i, Floor dependency, String usual, Instant now) {
        Finding own = waiting("pod.initialising", i.since(), now, usual, i.container());
        return Finding.waitsFor(dependency).saying(own.summary()).lasting(own.progress().orElseThrow());
    }

    /** A model server's pod; its init containers are its own, so they wait for nobody. */
    Finding server(String name, Operand operand, PodReport pod, Instant now) {
        Finding finding = generic(PodHealth.of(pod), "server", now);
        return finding.saying(texts.say("server.pod", name, finding.summary()))
                .with(NodeFloors.podReading(operand, pod)).on(operand.cluster());
    }

    private Finding generic(PodHealth health, String usual, Instant now) {
        return switch (health) {
            case PodHealth.Ready r -> Finding.own(FloorState.WAITING, texts.say("pod.ready"));
            case PodHealth.Completed c -> Finding.own(FloorState.WAITING, texts.say("pod.completed"));
            case PodHealth.Initialising i -> waiting("pod.initialising", i.since(), now, usual, i.container());
            case PodHealth.Starting s -> waiting("pod.starting", s.since(), now, usual, s.container());
            case PodHealth.OutOfMemory o -> Finding.own(FloorState.FAILING,
                    texts.say("pod.oom", o.container(), o.restarts()));
            case PodHealth.ImageUnavailable i -> Finding.own(FloorState.FAILING,
                    texts.say("pod.noImage", i.container(), i.reason()));
            case PodHealth.Crashing c -> crashing(c);
            case PodHealth.Failed f -> Finding.own(FloorState.FAILING, texts.say("pod.failed", f.reason()));
            case PodHealth.Unscheduled u -> Finding.own(FloorState.FAILING, texts.say("pod.unscheduled"));
        };
    }

    private Finding crashing(PodHealth.Crashing c) {
        Optional<String> missing = c.message().filter(m -> m.contains("configmap") && m.contains("not found"));
        return missing.isPresent()
                ? Finding.own(FloorState.FAILING, texts.say("pod.missingConfigMap", c.container()))
                : Finding.own(FloorState.FAILING, c.exitCode()
                        .map(code -> texts.say("pod.crashing", c.container(), code))
                        .orElse(texts.say("pod.notCreated", c.container(), c.reason())));
    }

    private Finding waiting(String key, Optional<Instant> since, Instant now, String usual, Object... more) {
        Duration elapsed = PodHealth.elapsed(since, now);
        Duration normal = NodeFloors.usual(texts, usual);
        Object[] arguments = new Object[more.length + 2];
        arguments[0] = FloorTexts.clock(elapsed);
        arguments[1] = FloorTexts.roughly(normal);
        System.arraycopy(more, 0, arguments, 2, more.length);
        return Finding.own(FloorState.WAITING, texts.say(key, arguments))
                .lasting(new FloorStatus.Progress(elapsed, normal));
    }
}
