package dev.pitwall.journey.node;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.GuestMachine;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.drain.Departure;

import java.util.List;
import java.util.Optional;

/** The reboot that ends a step: which pods leave before, what of them is lost, and whether anybody can take them. */
final class NodeRestart {
    private final Situation situation;
    private final String machine;
    private final Departure departure;
    private final NodeTimes times;

    NodeRestart(Situation situation, String machine, NodeTimes times) {
        this.situation = situation;
        this.machine = machine;
        this.departure = Departure.ofNode(situation, machine, situation.choices());
        this.times = times;
    }

    NodeReboot change() {
        String key = situation.host().proxmox().isEmpty() ? "rebootMetal" : "reboot";
        Optional<NodeDown> node = departure.nodes().stream().findFirst();
        return new NodeReboot(machine, situation.vm().map(v -> GuestMachine.name(v.node(), v.vmid())).orElse(""),
                node.flatMap(NodeDown::drain), node.map(NodeDown::stops).orElse(List.<Drain.Pod>of()), times.takes(key),
                times.limit(key));
    }

    /** What the step says instead, while it must not be rebooted as things are. */
    Optional<Answer> holds(List<Found> found) {
        return departure.holds(found);
    }

    List<Answer.Question> questions() {
        return departure.questions();
    }

    List<String> notes() {
        return departure.notes();
    }
}
