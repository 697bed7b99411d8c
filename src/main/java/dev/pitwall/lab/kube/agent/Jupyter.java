package dev.pitwall.lab.kube.agent;

import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.World;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A Jupyter server whose kernel is idle: with a card it keeps some of its memory, and does nothing with it. */
final class Jupyter implements Program {
    private static final String HELD = "held";

    private final World world;
    private final AgentTexts texts;

    Jupyter(World world, AgentTexts texts) {
        this.world = world;
        this.texts = texts;
    }

    @Override
    public Doing look(Run run, Instant now) {
        if (!run.notes().containsKey(HELD)) {
            Optional<String> card = ServerPod.card(world, run);
            run.notes().put(HELD, card.orElse(""));
            card.ifPresent(id -> add(id, texts.notebookMiB()));
        }
        return Doing.readyAt(run.startedAt().plusSeconds(texts.seconds("notebookStart")), now);
    }

    @Override
    public void ended(Run run, Instant now) {
        Optional.ofNullable(run.notes().remove(HELD)).filter(id -> !id.isEmpty())
                .ifPresent(id -> add(id, -texts.notebookMiB()));
    }

    private void add(String card, long mib) {
        world.change(w -> {
            LabCard there = w.cards.get(card);
            there.otherMemoryMiB = Math.max(0, there.otherMemoryMiB + mib);
        });
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        return texts.log("jupyter", run.startedAt(), until, Map.of("pod", run.pod().key().name(), "prefix",
                run.environment("NB_PREFIX").orElse("")));
    }

    @Override
    public boolean followsWorld() {
        return false;
    }
}
