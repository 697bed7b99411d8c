package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** {@code config-manager}: chooses a configuration once, in an init container, or minds the node's label beside it. */
final class ConfigManager extends ScriptedProgram {
    private static final Duration WATCH = Duration.ofSeconds(2);

    ConfigManager(Ground ground) {
        super(ground);
    }

    @Override
    String script(Run run) {
        return "config-manager";
    }

    @Override
    public Doing look(Run run, Instant now) {
        ChosenConfig chosen = new ChosenConfig(ground, run);
        String label = chosen.label();
        boolean news = !label.equals(run.notes().put("label", label));
        if (news) {
            Journal.say(run, now, "I" + Scripts.klog(now) + " 1 main.go:246] Label change detected: "
                    + "nvidia.com/device-plugin.config=" + label);
            try {
                Journal.say(run, now, "I" + Scripts.klog(now) + " 1 main.go:356] Updating to config: " + chosen.key());
            } catch (ChosenConfig.NoChoice none) {
                return fails(run, now, 1, List.of("E" + Scripts.klog(now) + " 1 main.go:166] " + none.getMessage()));
            }
        }
        boolean once = run.environment("ONESHOT").filter("true"::equals).isPresent();
        return once ? done(now) : new Doing.Goes(true, ground.again(now, WATCH));
    }
}
