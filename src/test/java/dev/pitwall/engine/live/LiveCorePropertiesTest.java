package dev.pitwall.engine.live;

import static dev.pitwall.engine.live.Garage.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.engine.live.Garage.Loads;
import dev.pitwall.engine.live.Garage.Machine;
import dev.pitwall.engine.live.ProviderView.Pinning;
import dev.pitwall.engine.live.ProviderView.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random wishes, uses and mishaps on servers of paper. */
class LiveCorePropertiesTest {
    private static final int STEPS = 60;
    private static final int MODELS = 6;

    /** One life of a garage, drawn from a seed. */
    private static final class Life {
        private final Random random;
        private final Garage garage = new Garage();
        private final List<Machine> machines = new ArrayList<>();
        private final boolean calm;
        private final List<Entry> asked = new ArrayList<>();
        private final Set<Long> givenUp = new HashSet<>();
        private int looked;
        private List<Entry> all = new ArrayList<>();

        /** @param calm nothing dies, hangs or is done by others */
        Life(long seed, boolean calm) {
            this.random = new Random(seed);
            this.calm = calm;
            Map<String, Integer> models = new TreeMap<>();
            Garage.names(MODELS).forEach(name -> models.put(name, 1 + random.nextInt(7)));
            for (String name : List.of("a", "b")) {
                machines.add(garage.server(name, 8 + random.nextInt(8), models));
            }
            garage.seconds(4);
        }

        void live() {
            for (int i = 0; i < STEPS; i++) {
                step();
                garage.seconds(1 + random.nextInt(6));
                check();
            }
        }

        private void step() {
            Machine machine = machines.get(random.nextInt(machines.size()));
            ModelName model = new ModelName("m" + random.nextInt(MODELS));
            PlacementId there = new PlacementId(machine.id, model);
            switch (random.nextInt(calm ? 9 : 15)) {
                case 0, 1, 2, 3 -> ask(new Wish.Place(model, machine.id));
                case 4 -> ask(new Wish.Move(there, machines.get(random.nextInt(2)).id));
                case 5 -> ask(new Wish.Evict(there));
                case 6 -> ask(random.nextBoolean() ? new Wish.Pin(there) : new Wish.Unpin(there));
                case 7 -> {
                    machine.expires.keySet().stream().findAny().ifPresent(m -> machine.busy.put(m, 1));
                    // What begins between a look and an unload is finished by the server first.
                    garage.read();
                }
                case 8 -> machine.busy.clear();
                case 9 -> ask(random.nextBoolean() ? new Wish.Hold(machine.id, Optional.empty()) : new Wish.Release(machine.id));
                case 10 -> {
                    garage.dies(machine);
                    garage.seconds(random.nextInt(8));
                    machine.up = true;
                }
                case 11 -> machine.loads = Loads.values()[random.nextInt(3)];
                case 12 -> machine.others = random.nextInt(3) * GIB;
                case 13 -> ask(new Wish.SetMode(Mode.values()[random.nextInt(3)]));
                default -> ask(new Wish.Cancel(there));
            }
        }

        private void ask(Wish wish) {
            Entry entry = garage.ask(wish);
            asked.add(entry);
            if (wish instanceof Wish.Cancel && entry.kind() != Entry.Kind.REFUSED) {
                garage.log().stream().filter(e -> e.placement().equals(entry.placement())).map(Entry::number)
                        .forEach(givenUp::add);
            }
        }

        /** What must hold at every moment. */
        private void check() {
            List<Effect> effects = garage.done.subList(looked, garage.done.size());
            looked = garage.done.size();
            effects.forEach(effect -> {
                if (effect instanceof Effect.Logged(Entry entry)) {
                    all.add(entry);
                }
            });
            for (Machine machine : machines) {
                ProviderView view = garage.view(machine);
                view.room().ifPresent(room -> {
                    assertThat(room.free()).isNotNegative();
                    long taken = view.placements().stream().filter(p -> !(p.state() instanceof State.Asked
                            || p.state() instanceof State.Failed || p.state() instanceof State.Lost))
                            .mapToLong(p -> p.memory().bytes()).sum();
                    long foreign = room.foreign().stream().mapToLong(ProviderView.Foreign::bytes).sum();
                    if (taken <= room.total()) {
                        assertThat(taken + foreign + room.reserve() + room.free()).isEqualTo(room.total());
                    }
                });
            }
        }
    }

    /** A core that is watched as it acts: what it sends away, and what that leaves. */
    private static final class Watched {
        private final Map<PlacementId, State> states = new HashMap<>();
        private final Set<PlacementId> pinned = new HashSet<>();
        private final Set<ProviderId> held = new HashSet<>();

        void look(WallView view) {
            states.clear();
            pinned.clear();
            held.clear();
            view.providers().forEach(provider -> {
                provider.hold().ifPresent(_ -> held.add(provider.id()));
                provider.placements().forEach(p -> {
                    PlacementId id = new PlacementId(provider.id(), p.model());
                    states.put(id, p.state());
                    if (p.pinned() == Pinning.PINNED) {
                        pinned.add(id);
                    }
                });
            });
        }
    }

    @Property(tries = 40)
    void theEngineNeverSendsAwayWhatIsPinnedBusyOrHeld(@ForAll long seed) {
        Life life = new Life(seed, false);
        Watched before = new Watched();
        life.garage.watch = (core, effects) -> {
            effects.forEach(effect -> {
                if (effect instanceof Effect.Unload(PlacementId what) && forALoad(life, what)) {
                    assertThat(before.pinned).doesNotContain(what);
                    assertThat(before.held).doesNotContain(what.provider());
                    assertThat(before.states.get(what)).isNotInstanceOf(State.Busy.class);
                }
            });
            before.look(core.view(life.garage.now));
        };
        life.live();
    }

    private static boolean forALoad(Life life, PlacementId what) {
        return life.garage.log().stream().filter(e -> e.kind() == Entry.Kind.LEAVING && e.placement().filter(what::equals)
                .isPresent()).findFirst().filter(e -> e.because().isPresent() && e.words().startsWith("makes room")).isPresent();
    }

    @Property(tries = 40)
    void whatIsLoadedFitsBesideOthersAndTheReserve(@ForAll long seed) {
        Life life = new Life(seed, true);
        life.garage.watch = (core, effects) -> effects.forEach(effect -> {
            if (effect instanceof Effect.Load(PlacementId what, ServerDriver.Stay _, long _)) {
                ProviderView view = core.view(life.garage.now).provider(what.provider()).orElseThrow();
                long taken = view.placements().stream().filter(p -> !(p.state() instanceof State.Asked
                        || p.state() instanceof State.Failed || p.state() instanceof State.Lost))
                        .mapToLong(p -> p.memory().bytes()).sum();
                long foreign = view.room().orElseThrow().foreign().stream().mapToLong(ProviderView.Foreign::bytes).sum();
                assertThat(taken + foreign + Wall.RESERVE_A_CARD).isLessThanOrEqualTo(view.room().orElseThrow().total());
            }
        });
        life.live();
    }

    @Property(tries = 30)
    void everyWishEndsDoneOrRefusedByName(@ForAll long seed) {
        Life life = new Life(seed, false);
        life.live();
        life.machines.forEach(machine -> {
            machine.up = true;
            machine.loads = Loads.WELL;
            machine.busy.clear();
            life.ask(new Wish.Release(machine.id));
        });
        life.garage.seconds(900);
        assertThat(life.garage.core.view(life.garage.now).queue()).isEmpty();
        life.check();
        life.asked.stream().filter(e -> e.kind() == Entry.Kind.LOADING).forEach(asked -> {
            boolean ended = life.all.stream().anyMatch(e -> e.because().filter(n -> n == asked.number()).isPresent()
                    && (e.kind() == Entry.Kind.LOADED || e.kind() == Entry.Kind.FAILED || e.kind() == Entry.Kind.REFUSED));
            boolean overtaken = life.all.stream().anyMatch(e -> e.number() > asked.number()
                    && e.placement().equals(asked.placement()) && e.kind() == Entry.Kind.FOREIGN);
            assertThat(ended || overtaken || life.givenUp.contains(asked.number())).as(asked.toString()).isTrue();
        });
    }

    @Property(tries = 40)
    void noOneIsSentAwayForALoadThatDoesNotBegin(@ForAll long seed) {
        Life life = new Life(seed, true);
        life.live();
        life.garage.seconds(200);
        life.check();
        Set<Long> led = new HashSet<>();
        life.all.stream().filter(e -> e.kind() == Entry.Kind.LOADED).forEach(e -> e.because().ifPresent(led::add));
        assertThat(life.all.stream().filter(e -> e.kind() == Entry.Kind.LEAVING && e.words().startsWith("makes room"))
                .map(e -> e.because().orElseThrow())).allMatch(led::contains);
    }

    @Property(tries = 20)
    void theSameEventsGiveTheSameDecisions(@ForAll long seed) {
        Life one = new Life(seed, false);
        one.live();
        Life other = new Life(seed, false);
        other.live();
        assertThat(other.garage.done).isEqualTo(one.garage.done);
    }
}
