package dev.pitwall.ui.doctor;

import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.catalogue.TrapFloor;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.diagnosis.Finding.Proof;
import dev.pitwall.doctor.diagnosis.Finding.Role;
import dev.pitwall.doctor.diagnosis.Finding.RuledOut;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.ui.SampleSite;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Findings as a diagnosis of the sample site has them. */
public final class SampleFindings {

    static final Diagnosis.Looked LOOKED = new Diagnosis.Looked(12, 3400, 120, 71);
    public static final Diagnosis NOTHING = diagnosis(List.of());

    private SampleFindings() {
    }

    static Trap trap(String name, TrapFloor floor, Trap.Kind kind, String title) {
        return new Trap(name, floor, kind, title, "", "", List.of(new Trap.LookAlike("node-cordoned",
                "there the node itself takes no pod")), List.of(), List.of(), List.of(),
                new Trap.Fix("Let the plugin accept the taint.", List.of("kubectl -n gpu-operator get ds",
                        "helm upgrade gpu-operator"), Optional.of(new Trap.Remedy.WizardStep("taints", Map.of()))),
                kind == Trap.Kind.WAITING ? Optional.of(Duration.ofMinutes(3)) : Optional.empty(), "", List.of());
    }

    static Finding finding(String name, TrapFloor floor, Trap.Kind kind, String title, double confidence, List<String> nodes,
                           List<String> cards, List<Proof> proofs) {
        return new Finding(trap(name, floor, kind, title), confidence, title + ", in two sentences. This is the second one.",
                nodes, cards, proofs, List.of(), List.of(new RuledOut("driver-not-loaded", "nvidia-smi lists the card")));
    }

    /** The plugin's taint, with lines of two documents and one comparison. */
    public static Finding toleration(String... cards) {
        List<Proof> proofs = List.of(
                new Proof(Role.DECIDES, "added 38 min ago", Optional.of(new Cited("node/rke2-worker-dc3-gpu-a", 44,
                        "    value: \"true\"", List.of("  - effect: NoSchedule", "    key: nvidia.com/gpu"), List.of("status:")))),
                new Proof(Role.DECIDES, "", Optional.of(new Cited("daemonset/nvidia-device-plugin-daemonset", 121,
                        "      value: present", List.of("      operator: Equal"), List.of("      effect: NoSchedule")))),
                new Proof(Role.SYMPTOM, "", Optional.of(new Cited("pod/cuda-vectoradd-pve3", 0,
                        "0/21 nodes are available: 1 Insufficient nvidia.com/gpu"))),
                new Proof(Role.SYMPTOM, "6 nodes are labelled for it, 5 have a pod", Optional.empty(), List.of(
                        new Excerpt("daemonset/nvidia-device-plugin-daemonset DaemonSet", List.of(
                                new Excerpt.Line(0, "status:", Excerpt.Weight.AROUND),
                                new Excerpt.Line(0, "  desiredNumberScheduled: 5", Excerpt.Weight.COUNTS))))));
        return finding("device-plugin-missing-toleration", TrapFloor.PLUGIN, Trap.Kind.FAULT,
                "Device plugin does not tolerate the taint", 0.9, List.of(), List.of(cards), proofs);
    }

    static Finding likely() {
        return finding("idle-notebook", TrapFloor.SCHEDULING, Trap.Kind.FAULT, "An idle notebook holds a whole card", 0.4,
                List.of("metal1"), List.of(), List.of());
    }

    static Finding advice() {
        return finding("no-gpu-quota", TrapFloor.ADMISSION, Trap.Kind.ADVICE, "Nothing caps GPUs in 2 namespaces", 0.8,
                List.of(), List.of(), List.of());
    }

    static Diagnosis.Waiting compiling(long seconds) {
        return new Diagnosis.Waiting(finding("driver-compiles", TrapFloor.DRIVER, Trap.Kind.WAITING, "Driver is compiling", 0.9,
                List.of(), List.of("pve2/0000:01:00"), List.of()), Duration.ofMinutes(3),
                Optional.of(SampleSite.NOW.minusSeconds(seconds)));
    }

    static Diagnosis diagnosis(List<Finding> findings) {
        return new Diagnosis(findings, List.of(), List.of(), List.of(), List.of(), List.of(), LOOKED);
    }

    /** One of everything. */
    public static Diagnosis everything() {
        return new Diagnosis(List.of(toleration("pve3/0000:01:00"), likely()), List.of(advice()), List.of(compiling(102)),
                List.of(finding("xid-13-in-user-code", TrapFloor.DRIVER, Trap.Kind.HARMLESS, "An Xid of somebody's program", 0.8,
                        List.of(), List.of(), List.of())), List.of(),
                List.of("pve4:8006: no answer within 10 s. Check that pve4 is on and its network is up."), LOOKED);
    }

    /** So many causes at once, with long names. */
    public static Diagnosis many(int count) {
        return diagnosis(IntStream.range(0, count).mapToObj(i -> finding("cause-number-" + i,
                TrapFloor.values()[i % TrapFloor.values().length], Trap.Kind.FAULT,
                "Cause " + i + " with a title that is much longer than any title should be, as it goes on and on", 0.9,
                List.of("a-very-long-host-name-in-the-third-rack-of-the-basement-" + i, "another-node-" + i, "third", "fourth"),
                List.of(), List.of(new Proof(Role.DECIDES, "it is far too long to be beside a line without wrapping it",
                        Optional.of(new Cited("pve3: journalctl -k --no-pager --output=short-iso with-many-arguments --since yesterday", 123456,
                                "NVRM: " + "x".repeat(300))))))).toList());
    }
}
