package dev.pitwall.engine.charge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Trouble;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CandidateTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final Trouble DOWN = new Trouble(Trouble.Kind.CONNECT, "cluster", "connection refused", "Start it.");

    /** A cluster of one Lease. */
    private static final class Store {
        private Optional<Lease> lease = Optional.empty();
        private int version;

        Optional<Lease> write(Lease wanted) {
            if (!lease.map(Lease::version).orElse("").equals(wanted.version())) {
                return Optional.empty();
            }
            lease = Optional.of(new Lease(wanted.holder(), wanted.acquired(), wanted.renewed(), wanted.duration(),
                    wanted.transitions(), Integer.toString(++version)));
            return lease;
        }
    }

    private final Store store = new Store();
    private final Candidate a = claiming("a");
    private final Candidate b = claiming("b");

    private static Candidate claiming(String name) {
        Candidate candidate = new Candidate(name, Terms.usual());
        candidate.claim();
        return candidate;
    }

    private void step(Candidate candidate, int seconds) {
        Instant now = NOON.plusSeconds(seconds);
        candidate.wants(store.lease, now).ifPresent(wanted -> candidate.wrote(store.write(wanted), now, now));
    }

    private static Charge.State at(Candidate candidate, int seconds) {
        return candidate.state(NOON.plusSeconds(seconds));
    }

    @Test
    void theFirstHasItAndTheOtherKnowsWho() {
        assertThat(at(a, 0)).isInstanceOf(Charge.State.Looking.class);
        step(a, 0);
        step(b, 1);
        assertThat(at(a, 1)).isInstanceOf(Charge.State.Here.class);
        assertThat(at(b, 1)).isEqualTo(new Charge.State.Elsewhere("a"));
    }

    @Test
    void whoOnlyLooksWritesNothingAndKnowsWhetherAnybodyDecides() {
        Candidate looking = new Candidate("c", Terms.usual());
        step(looking, 0);
        assertThat(at(looking, 0)).isInstanceOf(Charge.State.Free.class);
        assertThat(store.lease).isEmpty();
        step(a, 1);
        step(looking, 2);
        assertThat(at(looking, 2)).isEqualTo(new Charge.State.Elsewhere("a"));
        step(looking, 30);
        assertThat(at(looking, 30)).isInstanceOf(Charge.State.Free.class);
        assertThat(store.lease.orElseThrow().holder()).isEqualTo("a");
        assertThat(looking.givesBack(NOON.plusSeconds(30))).isEmpty();
        looking.claim();
        step(looking, 31);
        assertThat(at(looking, 31)).isInstanceOf(Charge.State.Here.class);
    }

    /** The look that succeeds says nothing of the write that was refused. */
    @Test
    void aWriteThatIsRefusedIsTheReasonUntilOneIsNot() {
        a.wants(store.lease, NOON);
        a.missed(DOWN);
        a.wants(store.lease, NOON.plusSeconds(2));
        assertThat(at(a, 2)).isEqualTo(new Charge.State.Unknown(DOWN));
        step(a, 4);
        assertThat(at(a, 4)).isInstanceOf(Charge.State.Here.class);
    }

    @Test
    void oneThatDiesIsFollowedAfterItsDurationAndNoSooner() {
        step(a, 0);
        for (int second = 1; second <= 16; second++) {
            step(b, second);
            assertThat(at(b, second)).isEqualTo(new Charge.State.Elsewhere("a"));
            assertThat(at(a, second) instanceof Charge.State.Here).isEqualTo(second < 10);
        }
        step(b, 17);
        assertThat(at(b, 17)).isInstanceOf(Charge.State.Here.class);
        assertThat(store.lease.orElseThrow().transitions()).isEqualTo(1);
        step(a, 18);
        assertThat(at(a, 18)).isEqualTo(new Charge.State.Elsewhere("b"));
    }

    @Test
    void whatIsGivenBackIsTakenAtOnce() {
        step(a, 0);
        store.write(a.givesBack(NOON.plusSeconds(1)).orElseThrow());
        assertThat(at(a, 1)).isNotInstanceOf(Charge.State.Here.class);
        step(b, 2);
        assertThat(at(b, 2)).isInstanceOf(Charge.State.Here.class);
        assertThat(a.givesBack(NOON.plusSeconds(3))).isEmpty();
    }

    @Test
    void oneThatCannotAskStopsInTimeAndSaysWhy() {
        step(a, 0);
        a.missed(DOWN);
        assertThat(at(a, 9)).isInstanceOf(Charge.State.Here.class);
        assertThat(at(a, 10)).isEqualTo(new Charge.State.Unknown(DOWN));
        // A clock that was set back proves nothing.
        assertThat(a.state(NOON.minusSeconds(60))).isNotInstanceOf(Charge.State.Here.class);
    }

    /** Engines whose clocks differ, whose reads grow old before they write, whose answers are late, and which are cut off. */
    @Test
    void neverDoTwoDecide() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Store shared = new Store();
            List<Candidate> all = List.of(claiming("a"), claiming("b"), claiming("c"));
            long[] skew = random.longs(3, -100_000, 100_000).toArray();
            long[] cutOff = new long[3];
            for (long second = 0; second < 200; second++) {
                int who = random.nextInt(3);
                Instant now = NOON.plusSeconds(second);
                if (random.nextInt(40) == 0) {
                    cutOff[random.nextInt(3)] = second + random.nextInt(40);
                }
                Candidate candidate = all.get(who);
                Instant own = now.plusSeconds(skew[who]);
                if (second < cutOff[who]) {
                    candidate.missed(DOWN);
                } else {
                    Optional<Lease> read = shared.lease;
                    int late = random.nextInt(3);
                    candidate.wants(read, own).ifPresent(wanted -> {
                        if (random.nextInt(4) == 0) {
                            other(all, skew, shared, (who + 1) % 3, now);
                        }
                        candidate.wrote(shared.write(wanted), own, own.plusSeconds(late));
                    });
                }
                long deciding = 0;
                for (int i = 0; i < 3; i++) {
                    deciding += all.get(i).state(now.plusSeconds(skew[i])) instanceof Charge.State.Here ? 1 : 0;
                }
                assertThat(deciding).as("seed %d, second %d", seed, second).isLessThanOrEqualTo(1);
            }
        }
    }

    private static void other(List<Candidate> all, long[] skew, Store shared, int who, Instant now) {
        Instant own = now.plusSeconds(skew[who]);
        all.get(who).wants(shared.lease, own).ifPresent(wanted -> all.get(who).wrote(shared.write(wanted), own, own));
    }

    @Test
    void termsLeaveTimeToStop() {
        assertThat(Terms.usual().duration().minus(Terms.usual().deadline())).isGreaterThan(Duration.ofSeconds(3));
    }
}
