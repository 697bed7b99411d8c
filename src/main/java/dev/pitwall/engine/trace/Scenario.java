package dev.pitwall.engine.trace;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.Pin;
import dev.pitwall.engine.ProviderSpec;
import dev.pitwall.engine.Request;
import dev.pitwall.engine.trace.Catalogue.Card;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A fleet and a trace of a {@link Family}, drawn from a seed: the same seed gives the same. */
public record Scenario(Family family, long seed, Fleet fleet, List<Request> trace) {
    private static final double HOUR = 3600;
    /** Where everything fits there is nothing to decide. */
    private static final double LEAST_CROWDING = 1.15;
    /** Where next to nothing fits, neither; a scan is as long as it is. */
    private static final double MOST_CROWDING = 2.5;

    public Scenario {
        trace = List.copyOf(trace);
    }

    public static Scenario of(Family family, long seed) {
        RandomGenerator seeds = new SplittableRandom(seed * 1_000_003 + family.ordinal());
        Scenario scenario = new Drawing(family, seed, seeds.nextLong()).draw();
        while (scenario.crowding() < LEAST_CROWDING || family != Family.SCANS && scenario.crowding() > MOST_CROWDING) {
            scenario = new Drawing(family, seed, seeds.nextLong()).draw();
        }
        return scenario;
    }

    /** How much more memory the models that are asked for need together than there is. */
    private double crowding() {
        int parallel = fleet.providers().getFirst().maxParallel();
        double need = trace.stream().mapToInt(Request::model).distinct().mapToObj(fleet.models()::get)
                .mapToDouble(m -> m.needMiB(parallel)).sum();
        return need / fleet.providers().stream().mapToDouble(ProviderSpec::capacityMiB).sum();
    }

    /** Draws one. */
    private static final class Drawing {
        private final Family family;
        private final long seed;
        private final RandomGenerator random;

        Drawing(Family family, long seed, long draw) {
            this.family = family;
            this.seed = seed;
            this.random = new SplittableRandom(draw);
        }

        Scenario draw() {
            return switch (family) {
                case CHAT -> chat();
                case DRIFT -> drift();
                case PINS -> pins();
                case SMALL -> small();
                case MIXED -> mixed();
                case CYCLE -> cycle();
                case DAYS -> days();
                case SCANS -> scans();
            };
        }

        private double between(double low, double high) {
            return low + (high - low) * random.nextDouble();
        }

        private int whole(int low, int high) {
            return low + random.nextInt(high - low + 1);
        }

        private double wait(double mean) {
            return -mean * Math.log(1 - random.nextDouble());
        }

        private List<Card> oneOf(List<List<Card>> choices) {
            return choices.get(random.nextInt(choices.size()));
        }

        private List<Card> two() {
            return oneOf(List.of(List.of(Card.RTX4090, Card.RTX5090), List.of(Card.RTX3090, Card.RTX3090),
                    List.of(Card.RTX4070, Card.RTX4090), List.of(Card.RTX3060, Card.RTX3090, Card.RTX4070)));
        }

        private Scenario scenario(List<ProviderSpec> providers, List<ModelSpec> models, List<Pin> pins, Arrivals arrivals) {
            return new Scenario(family, seed, new Fleet(providers, models, pins), arrivals.inOrder());
        }

        /** One person after another, or several at once, who stay with a model for a while. */
        private void sessions(Arrivals arrivals, Liking liking, double hours, double meanGap, double driftHours) {
            int people = random.nextInt(4) == 0 ? whole(2, 3) : 1;
            double stay = between(0.6, 0.85);
            for (int person = 0; person < people; person++) {
                int model = liking.draw();
                double drifted = 0;
                for (double at = wait(meanGap); at < hours * HOUR; at += wait(meanGap * people * tide(at))) {
                    if (at > drifted + driftHours * HOUR) {
                        liking.drift(Math.max(1, whole(1, 4)));
                        drifted = at;
                    }
                    if (random.nextDouble() > stay) {
                        model = liking.draw();
                    }
                    arrivals.add(at, model);
                }
            }
        }

        /** Gaps grow and shrink slowly. */
        private static double tide(double at) {
            return 1 + 0.4 * Math.sin(at / (7 * HOUR) * Math.PI);
        }

        private Scenario chat() {
            List<ModelSpec> models = Catalogue.models(whole(8, 14), 20000, Card.RTX4090, random);
            Arrivals arrivals = new Arrivals(models, random);
            sessions(arrivals, new Liking(models.size(), between(0.7, 1.2), random), 28, between(12, 30), 1e9);
            return scenario(Catalogue.cards(two(), whole(1, 2)), models, List.of(), arrivals);
        }

        private Scenario drift() {
            List<ModelSpec> models = Catalogue.models(whole(8, 14), 20000, Card.RTX4090, random);
            Arrivals arrivals = new Arrivals(models, random);
            sessions(arrivals, new Liking(models.size(), between(0.8, 1.3), random), 28, between(12, 30), between(1, 5));
            return scenario(Catalogue.cards(two(), whole(1, 2)), models, List.of(), arrivals);
        }

        private Scenario pins() {
            List<ModelSpec> models = Catalogue.models(whole(7, 12), 14000, Card.RTX4070, random);
            List<ProviderSpec> providers = Catalogue.cards(two(), 2);
            List<Pin> pins = new ArrayList<>();
            double[] free = providers.stream().mapToDouble(ProviderSpec::capacityMiB).toArray();
            int wanted = whole(1, 3);
            for (int m = 0; m < models.size() && pins.size() < wanted; m++) {
                int p = random.nextInt(providers.size());
                double need = providers.get(p).needMiB(models.get(m));
                if (need < 0.4 * free[p]) {
                    free[p] -= need;
                    pins.add(new Pin(m, p));
                }
            }
            Arrivals arrivals = new Arrivals(models, random);
            sessions(arrivals, new Liking(models.size(), between(0.7, 1.2), random), 28, between(15, 40), 1e9);
            return scenario(providers, models, pins, arrivals);
        }

        private Scenario small() {
            List<ModelSpec> models = Catalogue.models(whole(5, 9), 8000, Card.A1000, random);
            List<Card> cards = oneOf(List.of(List.of(Card.A1000, Card.A1000, Card.A1000), List.of(Card.A1000, Card.A1000),
                    List.of(Card.A1000, Card.RTX3060), List.of(Card.A1000, Card.A1000, Card.A1000, Card.A1000)));
            Arrivals arrivals = new Arrivals(models, random);
            sessions(arrivals, new Liking(models.size(), between(0.5, 1.1), random), 36, between(25, 70), 1e9);
            return scenario(Catalogue.cards(cards, whole(1, 2)), models, List.of(), arrivals);
        }

        private Scenario mixed() {
            List<ModelSpec> models = Catalogue.models(whole(16, 30), 20000, Card.RTX4090, random);
            List<Card> cards = new ArrayList<>(List.of(Card.RTX5090, Card.RTX4090, Card.RTX4070, Card.RTX3060, Card.A1000,
                    random.nextBoolean() ? Card.RTX3090 : Card.A6000));
            Catalogue.shuffle(cards, random);
            Arrivals arrivals = new Arrivals(models, random);
            sessions(arrivals, new Liking(models.size(), between(0.6, 1.1), random), 24, between(6, 20), 1e9);
            return scenario(Catalogue.cards(cards, whole(1, 3)), models, List.of(), arrivals);
        }

        /** Each takes its turn, with a few requests a turn and a little jitter. */
        private Scenario cycle() {
            List<Card> cards = oneOf(List.of(List.of(Card.RTX4090), List.of(Card.RTX3060, Card.RTX3060),
                    List.of(Card.RTX4090, Card.RTX5090), List.of(Card.A1000, Card.A1000, Card.A1000)));
            double largest = cards.contains(Card.A1000) ? 5100 : cards.contains(Card.RTX3060) ? 8000 : 14000;
            List<ProviderSpec> providers = Catalogue.cards(cards, whole(1, 2));
            List<ModelSpec> models = Catalogue.models(40, largest, cards.getFirst(), random);
            double room = providers.stream().mapToDouble(ProviderSpec::capacityMiB).sum() * between(1.15, 1.8);
            int count = 0;
            while (room > 0) {
                room -= providers.getFirst().needMiB(models.get(count++));
            }
            List<ModelSpec> turning = models.subList(0, count);
            Arrivals arrivals = new Arrivals(turning, random);
            int each = whole(1, 4);
            double gap = between(8, 40);
            int turn = 0;
            for (double at = gap; at < 16 * HOUR; turn++) {
                for (int i = random.nextInt(each); i < each; i++) {
                    arrivals.add(at, turn % count);
                    at += gap * between(0.7, 1.3);
                }
            }
            return scenario(providers, turning, List.of(), arrivals);
        }

        /** Chat by day, batches at night, and bursts of one model at any time. */
        private Scenario days() {
            List<ModelSpec> models = Catalogue.models(whole(8, 14), 20000, Card.RTX4090, random);
            Arrivals arrivals = new Arrivals(models, random);
            Liking liking = new Liking(models.size(), between(0.7, 1.2), random);
            double stay = between(0.6, 0.8);
            double gap = between(10, 25);
            int model = liking.draw();
            for (double at = 0; at < 72 * HOUR; at += wait(gap * (day(at) ? 1 : 12))) {
                model = random.nextDouble() > stay ? liking.draw() : model;
                arrivals.add(at, model);
            }
            for (int night = 0; night < 3; night++) {
                for (int batch = whole(1, 3); batch > 0; batch--) {
                    row(arrivals, (24 * night + between(20, 30)) * HOUR, whole(60, 300), between(4, 15),
                            random.nextInt(models.size()));
                }
            }
            for (int burst = whole(10, 30); burst > 0; burst--) {
                row(arrivals, between(0, 72) * HOUR, whole(10, 40), between(0.5, 4), liking.draw());
            }
            return scenario(Catalogue.cards(two(), whole(2, 3)), models, List.of(), arrivals);
        }

        private static boolean day(double at) {
            double hour = at / HOUR % 24;
            return hour > 7 && hour < 20;
        }

        private void row(Arrivals arrivals, double from, int requests, double meanGap, int model) {
            double at = from;
            for (int i = 0; i < requests; i++) {
                arrivals.add(at, model);
                at += wait(meanGap);
            }
        }

        private Scenario scans() {
            int liked = whole(6, 10);
            List<ModelSpec> models = Catalogue.models(liked + whole(40, 120), 14000, Card.RTX4090, random);
            Arrivals arrivals = new Arrivals(models, random);
            sessions(arrivals, new Liking(liked, between(0.7, 1.2), random), 24, between(12, 30), 1e9);
            int next = liked;
            while (next < models.size()) {
                double at = between(0, 24) * HOUR;
                for (int i = whole(5, 20); i > 0 && next < models.size(); i--) {
                    arrivals.add(at, next++);
                    at += wait(between(20, 60));
                }
            }
            return scenario(Catalogue.cards(two(), whole(1, 2)), models, List.of(), arrivals);
        }
    }
}
