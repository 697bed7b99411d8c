package dev.pitwall.lab.life;

import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.Installed;
import dev.pitwall.lab.world.LabModelServer.Loaded;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Users of the model servers: they ask mostly for what is loaded, sometimes for another model, which is then loaded
 * and makes room for itself; what nobody asks for goes after five minutes, as with Ollama's default keep-alive.
 */
final class RequestLife implements LabLife.Behaviour {
    private static final double SECONDS_BETWEEN_REQUESTS = 20;
    private static final double SHORTEST_ANSWER_SECONDS = 3;
    private static final double USUAL_ANSWER_SECONDS = 9;
    private static final double ANOTHER_MODEL = 0.12;
    private static final double LOAD_BYTES_PER_SECOND = 1L << 30;
    private static final Duration KEEP_ALIVE = Duration.ofMinutes(5);

    private final List<Answer> answers = new ArrayList<>();

    /** A request in progress. */
    private record Answer(LabModelServer server, Loaded model, Instant until) {
    }

    @Override
    public void step(World world, Instant now, double seconds) {
        finish(now);
        for (LabModelServer server : world.servers.values()) {
            if (!server.up) {
                drop(server);
                continue;
            }
            server.settle(now);
            boolean asked = world.random().nextDouble() < 1 - Math.exp(-seconds / SECONDS_BETWEEN_REQUESTS);
            if (asked && !server.installed.isEmpty()) {
                ask(world, server, now);
            }
        }
    }

    private void finish(Instant now) {
        answers.removeIf(answer -> {
            boolean over = !answer.until.isAfter(now);
            if (over && answer.model.busy > 0) {
                answer.model.busy--;
                answer.model.usedAt = now;
                Instant kept = now.plus(KEEP_ALIVE);
                // A model that somebody keeps for longer stays for as long as they said, and one that was told to go goes.
                boolean stays = answer.model.told || answer.model.expiresAt.isAfter(kept);
                answer.model.expiresAt = stays ? answer.model.expiresAt : kept;
            }
            return over;
        });
    }

    /** A server that went down has nothing in memory and nobody waiting. */
    private void drop(LabModelServer server) {
        answers.removeIf(answer -> answer.server == server);
        server.loaded.clear();
    }

    private void ask(World world, LabModelServer server, Instant now) {
        Random random = world.random();
        // A router's users ask for what its owner has loaded.
        boolean router = server.kind == LabModelServer.Kind.LLAMA_SERVER;
        if (router && server.loaded.isEmpty()) {
            return;
        }
        boolean another = !router && (server.loaded.isEmpty() || random.nextDouble() < ANOTHER_MODEL);
        Optional<Loaded> model = another
                ? load(world, server, server.installed.get(random.nextInt(server.installed.size())), now)
                : Optional.of(server.loaded.get(random.nextInt(server.loaded.size())));
        model.filter(loaded -> !loaded.told).ifPresent(loaded -> {
            loaded.busy++;
            loaded.asleep = false;
            double seconds = SHORTEST_ANSWER_SECONDS - Math.log(1 - random.nextDouble())
                    * (USUAL_ANSWER_SECONDS - SHORTEST_ANSWER_SECONDS);
            Instant from = loaded.readyAt.isAfter(now) ? loaded.readyAt : now;
            answers.add(new Answer(server, loaded, from.plusMillis(Math.round(seconds * 1000))));
        });
    }

    /** Loads a model, making room among the idle ones; empty if that is not enough. */
    private static Optional<Loaded> load(World world, LabModelServer server, Installed wanted, Instant now) {
        Optional<Loaded> there = server.loaded.stream()
                .filter(loaded -> loaded.model.name().equals(wanted.name())).findFirst();
        if (there.isPresent()) {
            return there;
        }
        LabCard card = world.cards.get(server.card);
        if (card == null) {
            // Nobody of the lab's own asks a server that works on the processor.
            return Optional.empty();
        }
        long room = (card.vramMiB - card.memoryReservedMiB - card.otherMemoryMiB << 20) - wanted.vramBytes();
        List<Loaded> idle = server.loaded.stream().filter(loaded -> loaded.busy == 0)
                .sorted(Comparator.comparing(loaded -> loaded.expiresAt)).toList();
        List<Loaded> victims = new ArrayList<>();
        for (Loaded next : idle) {
            if (used(server) - used(victims) > room) {
                victims.add(next);
            }
        }
        if (used(server) - used(victims) > room) {
            return Optional.empty();
        }
        server.loaded.removeAll(victims);
        Loaded loaded = new Loaded(wanted);
        loaded.readyAt = now.plusMillis(Math.round(wanted.vramBytes() / LOAD_BYTES_PER_SECOND * 1000) + 800);
        loaded.expiresAt = loaded.readyAt.plus(KEEP_ALIVE);
        server.loaded.add(loaded);
        return Optional.of(loaded);
    }

    private static long used(LabModelServer server) {
        return used(server.loaded);
    }

    private static long used(List<Loaded> models) {
        return models.stream().mapToLong(Loaded::cardBytes).sum();
    }
}
