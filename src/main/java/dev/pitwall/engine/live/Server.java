package dev.pitwall.engine.live;

import dev.pitwall.card.Trouble;
import dev.pitwall.engine.live.Placed.Phase;
import dev.pitwall.engine.live.ProviderView.Hold;
import dev.pitwall.engine.live.ServerDriver.Ability;
import dev.pitwall.engine.live.ServerDriver.Installed;
import dev.pitwall.engine.live.ServerDriver.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;

/** What the core knows of one model server. */
final class Server {
    /** Weights come in at about this pace from a disk (facts: models.md 1.4), until a load here has shown another. */
    private static final double USUAL_BYTES_PER_SECOND = 1L << 30;
    private static final Duration PROCESS_START = Duration.ofSeconds(1);
    /** How much a newest load says of the next. */
    private static final double NEWEST = 0.5;
    /** A poll that stalls is no death (facts: models.md 5.1). */
    private static final int MISSES = 2;

    /** A measurement of speed that is under way. @param entry in the log */
    record Measuring(ModelName model, long entry) {
    }

    record Silence(Instant since, Trouble trouble) {
    }

    final ProviderId id;
    SitePicture.Spot spot;
    Optional<State> state = Optional.empty();
    Instant answeredAt = Instant.MIN;
    int misses;
    Optional<Silence> missed = Optional.empty();
    Optional<Hold> hold = Optional.empty();
    /** After models were let go, until the card has shown their memory. */
    Optional<Returning> returning = Optional.empty();
    Optional<Measuring> measuring = Optional.empty();
    final Map<ModelName, Placed> placed = new TreeMap<>();
    final List<Job> jobs = new ArrayList<>();
    final Map<ModelName, WallView.Pulling> pulls = new TreeMap<>();
    final Foreign foreign = new Foreign();
    private double bytesPerSecond = USUAL_BYTES_PER_SECOND;

    Server(ProviderId id, SitePicture.Spot spot) {
        this.id = id;
        this.spot = spot;
    }

    boolean live() {
        return state.isPresent() && misses < MISSES;
    }

    Optional<Silence> silence() {
        return misses >= MISSES ? missed : Optional.empty();
    }

    boolean can(Ability ability) {
        return state.filter(s -> s.abilities().contains(ability)).isPresent();
    }

    OptionalInt most() {
        return state.map(State::mostLoaded).orElse(OptionalInt.empty());
    }

    Optional<Installed> installed(ModelName model) {
        return state.flatMap(s -> s.installed().stream().filter(i -> i.model().equals(model)).findFirst());
    }

    /** The load that is under way or for which room is made. */
    Optional<Job> current() {
        return jobs.stream().filter(j -> j.stage != Job.Stage.WAITING).findFirst();
    }

    Optional<Job> job(ModelName model) {
        return jobs.stream().filter(j -> j.model.equals(model)).findFirst();
    }

    boolean moving() {
        return measuring.isPresent()
                || placed.values().stream().anyMatch(p -> p.phase == Phase.LOADING || p.phase == Phase.UNLOADING);
    }

    /** Of all its models; empty where it does not tell of one of them, 0 where none answers. */
    OptionalDouble tokensPerSecond() {
        List<OptionalDouble> told = state.stream().flatMap(s -> s.loaded().stream())
                .map(ServerDriver.Loaded::tokensPerSecond).toList();
        return told.isEmpty() || told.stream().anyMatch(OptionalDouble::isEmpty) ? OptionalDouble.empty()
                : OptionalDouble.of(told.stream().mapToDouble(OptionalDouble::getAsDouble).sum());
    }

    boolean measures(ModelName model) {
        return measuring.filter(m -> m.model().equals(model)).isPresent();
    }

    double speed() {
        return bytesPerSecond;
    }

    Duration loadTime(long bytes) {
        return PROCESS_START.plusMillis(Math.round(bytes / bytesPerSecond * 1000));
    }

    void loadedIn(long bytes, Duration time) {
        double seconds = Math.max(0.1, time.minus(PROCESS_START).toMillis() / 1000.0);
        if (bytes > 0) {
            bytesPerSecond += NEWEST * (bytes / seconds - bytesPerSecond);
        }
    }
}
