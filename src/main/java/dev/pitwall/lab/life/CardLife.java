package dev.pitwall.lab.life;

import dev.pitwall.lab.world.CardEnvelope;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.World;

import java.time.Instant;
import java.util.Optional;

/**
 * A card's figures follow its work: busy models drive utilisation, that drives power, that drives temperature; memory
 * follows the models that are loaded. A card without a driver does nothing.
 */
final class CardLife implements LabLife.Behaviour {
    private static final double UTILISATION_SECONDS = 1.5;
    private static final double POWER_SECONDS = 1.2;
    private static final double TEMPERATURE_SECONDS = 45;
    /** Weights come in at about 1 GiB a second; after an unload the memory is back in about a second. */
    private static final double LOAD_MIB_PER_SECOND = 1024;
    private static final double UNLOAD_SECONDS = 0.35;
    private static final double BUSY_PERCENT = 88;
    private static final double NOISE_PERCENT = 6;

    @Override
    public void step(World world, Instant now, double seconds) {
        for (LabCard card : world.cards.values()) {
            boolean driven = driven(world, card);
            Optional<LabModelServer> server = world.servers.values().stream()
                    .filter(s -> s.card.equals(card.id) && s.up).findFirst();
            step(world, card, driven ? server : Optional.empty(), driven, now, seconds);
        }
    }

    private static boolean driven(World world, LabCard card) {
        return !card.lost && world.nodes.values().stream()
                .anyMatch(node -> node.ready && node.driver.equals("loaded") && node.cards.contains(card.id));
    }

    private void step(World world, LabCard card, Optional<LabModelServer> server, boolean driven, Instant now,
                      double seconds) {
        CardEnvelope envelope = card.envelope;
        boolean busy = server.stream().flatMap(s -> s.loaded.stream()).anyMatch(loaded -> loaded.busy > 0);
        double wanted = driven ? Math.max(card.otherLoadPercent, busy ? BUSY_PERCENT : 0) : 0;
        double noise = wanted > 0 ? world.random().nextGaussian() * NOISE_PERCENT * Math.min(1, Math.sqrt(seconds)) : 0;
        card.utilizationPercent = between(0, 100, Inertia.towards(card.utilizationPercent, wanted, seconds,
                UTILISATION_SECONDS) + noise);
        if (wanted == 0 && card.utilizationPercent < 0.5) {
            card.utilizationPercent = 0;
        }
        double load = card.utilizationPercent / 100;
        double power = envelope.idleW() + (card.powerLimitW - envelope.idleW()) * load * 0.97
                + world.random().nextGaussian() * 0.1;
        card.powerW = between(0, card.powerLimitW, Inertia.towards(card.powerW, power, seconds, POWER_SECONDS));
        double share = (card.powerW - envelope.idleW()) / Math.max(1, card.powerLimitW - envelope.idleW());
        card.temperatureC = Inertia.towards(card.temperatureC,
                envelope.idleC() + share * (envelope.fullC() - envelope.idleC()), seconds, TEMPERATURE_SECONDS);
        boolean working = card.utilizationPercent > 2;
        card.smClockMHz = working ? envelope.fullSmMHz() - world.random().nextInt(4) * 15 : envelope.idleSmMHz();
        card.memoryClockMHz = working ? envelope.fullMemoryMHz() : envelope.idleMemoryMHz();
        card.energyMilliJoule += Math.round(card.powerW * seconds * 1000);
        card.memoryUsedMiB = memory(card, server, now, seconds);
    }

    private static long memory(LabCard card, Optional<LabModelServer> server, Instant now, double seconds) {
        long wanted = Math.min(card.vramMiB - card.memoryReservedMiB, card.otherMemoryMiB + server.stream()
                .flatMap(s -> s.loaded.stream()).mapToLong(loaded -> loaded.cardBytes() >> 20).sum());
        if (wanted > card.memoryUsedMiB) {
            return Math.min(wanted, card.memoryUsedMiB + Math.max(1, Math.round(LOAD_MIB_PER_SECOND * seconds)));
        }
        long left = Math.round(Inertia.towards(card.memoryUsedMiB, wanted, seconds, UNLOAD_SECONDS));
        return left - wanted < 16 ? wanted : left;
    }

    private static double between(double least, double most, double value) {
        return Math.max(least, Math.min(most, value));
    }
}
