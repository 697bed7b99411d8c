package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.container.LogSource.Line;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.ImageName;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.NodeMachine;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A program that writes the lines of a script, and what it says besides. */
abstract class ScriptedProgram implements Program {
    private static final long MIB = 1L << 20;
    final Ground ground;

    ScriptedProgram(Ground ground) {
        this.ground = ground;
    }

    /** Which script of {@code logs.yaml} it writes. */
    abstract String script(Run run);

    /** What fills a script's blanks. */
    Map<String, String> values(Run run) {
        NodeMachine machine = ground.machine(run);
        Map<String, String> values = new HashMap<>();
        values.put("start", run.startedAt().toString());
        values.put("mmdd", Scripts.klog(run.startedAt()));
        values.put("node", run.node());
        values.put("kernel", machine.driver().kernel());
        values.put("chart", ImageName.of(run.container().path("image").asText()).tag());
        machine.cards().stream().findFirst().ifPresent(card -> {
            values.put("gpu", card.uuid());
            values.put("product", card.product());
        });
        return values;
    }

    @Override
    public List<Line> log(Run run, Instant until) {
        // Stable sort: at one moment the script comes first.
        return Stream.concat(ground.scripts().lines(script(run), run.startedAt(), until, values(run)).stream(),
                Journal.lines(run, until).stream()).sorted(Comparator.comparing(Line::at)).toList();
    }

    Instant at(Run run, String step) {
        return run.startedAt().plusSeconds(ground.scripts().seconds(step));
    }

    String text(String name, Run run) {
        return ground.scripts().text(name, values(run));
    }

    /** Says why, and ends with an exit code other than 0. */
    Doing fails(Run run, Instant now, int code, List<String> lines) {
        lines.forEach(line -> Journal.say(run, now, line));
        return new Doing.Ended(code, "", now);
    }

    static Doing done(Instant now) {
        return new Doing.Ended(0, "", now);
    }

    static Doing waits(Instant until) {
        return new Doing.Goes(false, until);
    }

    long mebibytes(String what) {
        return ground.scripts().mebibytes(what) * MIB;
    }
}
