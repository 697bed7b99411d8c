package dev.pitwall.ui.change;

import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says what changes do to others: on chips, on buttons and in the dialogs that ask before. */
public final class Effects {

    private final Texts texts;

    public Effects(Texts texts) {
        this.texts = texts;
    }

    /** What the person is asked before changes are made that stop something. */
    public record Question(String title, List<String> sentences, String button) {
        public Question {
            sentences = List.copyOf(sentences);
        }
    }

    /** True if the person must say yes once more. */
    public static boolean needsYes(List<? extends Change> changes) {
        return Risk.worst(changes).compareTo(Risk.DRAINS_NODE) >= 0 || !gone(changes).isEmpty();
    }

    public static Severity severity(List<? extends Change> changes) {
        Risk worst = Risk.worst(changes);
        if (worst.compareTo(Risk.DRAINS_NODE) >= 0 || !gone(changes).isEmpty()) {
            return Severity.WARNING;
        }
        return worst == Risk.NONE ? Severity.NONE : Severity.PLAIN;
    }

    /** VMs that are destroyed with their disks: nothing brings those back, so nothing is worse. */
    private static List<String> gone(List<? extends Change> changes) {
        return changes.stream().flatMap(c -> switch (c) {
            case VmRemoval r -> Stream.of("VM " + r.vmid());
            case FileChange _, CommandChange _, VmConfigChange _, VmCreation _, MappingChange _, ManifestChange _,
                    HelmChange _, PackageChange _, PodRun _, TalosUpgrade _, TalosConfigChange _, ModelChange _, ModelAsk _, PodRestart _,
                    HostReboot _, NodeReboot _, VmPowerCycle _ -> Stream.<String>empty();
        }).toList();
    }

    /** The worst effect as a chip has it, for example {@code reboots pve2}; empty text where there is none. */
    public String chip(List<? extends Change> changes) {
        Risk worst = Risk.worst(changes);
        if (!gone(changes).isEmpty()) {
            return texts.get("change.chip.destroys", list(gone(changes)));
        }
        return worst == Risk.NONE ? "" : texts.get("change.chip." + worst.wireName(), names(changes, worst));
    }

    /**
     * What a button says.
     *
     * @param verb for example {@code Apply}
     * @return the verb and the worst effect, for example {@code Apply and reboot pve2}
     */
    public String button(String verb, List<? extends Change> changes) {
        Risk worst = Risk.worst(changes);
        if (!gone(changes).isEmpty()) {
            return texts.get("change.button.destroys", verb, list(gone(changes)));
        }
        return worst == Risk.NONE ? verb
                : texts.get("change.button." + worst.wireName(), verb, names(changes, worst));
    }

    /** The question before changes that stop something. */
    public Question question(String verb, List<? extends Change> changes) {
        Risk worst = Risk.worst(changes);
        String title = gone(changes).isEmpty() ? texts.get("change.ask." + worst.wireName(), names(changes, worst))
                : texts.get("change.ask.destroys", list(gone(changes)));
        return new Question(title, sentences(changes), button(verb, changes));
    }

    /** What stops, and what is gone for good, a sentence each. */
    public List<String> sentences(List<? extends Change> changes) {
        List<String> sentences = new ArrayList<>();
        changes.forEach(change -> {
            switch (change) {
                case HostReboot c -> sentences.add(texts.get("change.ask.host", c.host(), stops(c)));
                case NodeReboot c -> sentences.add(texts.get("change.ask.node", name(c), stops(c)));
                case VmPowerCycle c -> sentences.add(stops(c));
                case VmRemoval c -> sentences.add(texts.get("change.destroys", c.vmid(), c.name()));
                case TalosUpgrade c -> sentences.add(stops(c));
                case FileChange _, CommandChange _, VmConfigChange _, VmCreation _, MappingChange _, ManifestChange _,
                        HelmChange _, PackageChange _, PodRun _, ModelChange _, ModelAsk _, PodRestart _, TalosConfigChange _ -> { }
            }
        });
        return sentences;
    }

    /** What stops with a host, and when it is back. */
    String stops(HostReboot reboot) {
        String back = texts.get("change.reboot.back", Ages.span(reboot.takes()));
        List<HostReboot.Guest> guests = reboot.stops();
        if (guests.isEmpty()) {
            return texts.get("change.reboot.none") + " " + pods(reboot.nodes()) + back;
        }
        List<HostReboot.Guest> stay = guests.stream().filter(g -> !g.onboot()).toList();
        String again = stay.isEmpty() ? texts.count("change.reboot.all-start", guests.size())
                : texts.get("change.reboot.some-stay", guests(stay));
        return texts.count("change.reboot.stops", guests.size()).replace("{1}", guests(guests)) + " " + again + " "
                + pods(reboot.nodes()) + back;
    }

    /** Which pods leave a node, which go down with it, and when it is back. */
    String stops(NodeReboot reboot) {
        return pods(List.of(new NodeDown(reboot.machine(), NodeDown.MACHINE, reboot.drain(), reboot.stops())))
                + texts.get("change.reboot.back", Ages.span(reboot.takes()));
    }

    /** Sentences, each with a space after it. */
    private String pods(List<NodeDown> nodes) {
        StringBuilder sentences = new StringBuilder();
        for (NodeDown node : nodes) {
            say(sentences, "change.node.leave", node.leaves());
            say(sentences, "change.node.lost", node.losing());
            say(sentences, "change.node.stop", node.stops());
        }
        return sentences.toString();
    }

    private void say(StringBuilder sentences, String key, List<Drain.Pod> pods) {
        if (!pods.isEmpty()) {
            sentences.append(texts.get(key, pods.stream().map(Drain.Pod::place).collect(Collectors.joining(", ")))).append(' ');
        }
    }

    String stops(VmPowerCycle cycle) {
        return pods(cycle.kubernetes().stream().toList())
                + texts.get("change.cycle.stops", cycle.vmid(), cycle.name(), Ages.span(cycle.shutdown()));
    }

    /** What the reboot of a node means for its pods. */
    String stops(TalosUpgrade upgrade) {
        return texts.get(upgrade.drain().isPresent() ? "change.upgrade.drains" : "change.upgrade.stops",
                upgrade.node(), Ages.span(upgrade.takes()));
    }

    private static String guests(List<HostReboot.Guest> guests) {
        return guests.stream().map(g -> g.id() + " " + g.name()).collect(Collectors.joining(", "));
    }

    private String names(List<? extends Change> changes, Risk worst) {
        return list(changes.stream().filter(c -> c.risk() == worst).map(Effects::name).distinct().toList());
    }

    private String list(List<String> names) {
        return names.size() <= 2 ? String.join(texts.get("change.and"), names)
                : texts.get("change.and-more", names.getFirst(), names.size() - 1);
    }

    private static String name(Change change) {
        return switch (change) {
            case VmPowerCycle c -> "VM " + c.vmid();
            case HostReboot c -> c.host();
            case NodeReboot c -> c.drain().map(Drain::node).orElse(c.machine());
            case FileChange _, CommandChange _, VmConfigChange _, VmCreation _, VmRemoval _, MappingChange _,
                    ManifestChange _, HelmChange _, PackageChange _, PodRun _, TalosUpgrade _, TalosConfigChange _,
                    ModelChange _, ModelAsk _, PodRestart _ -> change.system();
        };
    }
}
