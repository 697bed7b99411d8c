package dev.pitwall.engine.live;

import dev.pitwall.engine.vram.Amount;
import dev.pitwall.engine.vram.CacheType;
import dev.pitwall.engine.vram.MeasuredLoad;
import dev.pitwall.engine.vram.ModelFacts;
import dev.pitwall.engine.vram.Use;
import dev.pitwall.engine.vram.Vram;
import dev.pitwall.engine.vram.VramBook;
import dev.pitwall.engine.vram.VramEstimator;
import dev.pitwall.engine.vram.VramKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** How much memory models need: measured, else told by a server, else estimated, else the size of their files. */
final class Needed {
    /** Where nothing but the files is known: buffers and context memory, as a share of them. */
    private static final double BESIDE_FILES = 0.15;
    /** The context Ollama takes by itself follows the memory that there is (facts: models.md 2.1). */
    private static final long GIB = 1L << 30;
    private static final long SMALL = 23 * GIB;
    private static final long LARGE = 47 * GIB;
    private static final long SMALL_CONTEXT = 4096;
    private static final long MIDDLE_CONTEXT = 32_768;
    private static final long LARGE_CONTEXT = 262_144;

    private static final Guess NOTHING = new Guess(Amount.about(1, 0), Memory.Basis.UNKNOWN);

    private record Shape(String digest, long context) {
    }

    private final VramEstimator estimator;
    private final VramBook book;
    private final Map<String, ModelFacts> facts = new HashMap<>();
    private final Map<Shape, Optional<Amount>> estimates = new HashMap<>();
    /** Of files whose size a server told once; a llama-server router tells it only of what is loaded. */
    private final Map<String, Long> sizes = new HashMap<>();
    private final NamedSize named = new NamedSize();

    Needed(List<MeasuredLoad> known) {
        this.estimator = new VramEstimator();
        this.book = new VramBook(known);
    }

    /** @param digest empty where the server tells none; it is then known by name @param context tokens where it is loaded */
    record Model(ModelName name, Optional<String> digest, OptionalLong fileBytes, OptionalLong context) {
        String key() {
            return digest.orElse(name.text());
        }
    }

    void learn(String digest, ModelFacts shown) {
        facts.put(digest, shown);
        estimates.keySet().removeIf(shape -> shape.digest().equals(digest));
    }

    boolean knows(String digest) {
        return facts.containsKey(digest);
    }

    List<MeasuredLoad> measured() {
        return book.loads();
    }

    /** @param room bytes of the provider, for the context that its server takes by itself */
    Memory of(Model model, String card, long room) {
        VramKey key = key(model, card, room);
        Guess guess = guess(model, key.contextTokens());
        return switch (book.vram(key, guess.amount())) {
            case Vram.Measured measured -> new Memory(measured.bytes(), byCard(key) ? Memory.Basis.MEASURED
                    : Memory.Basis.SERVER, Optional.of(measured.at()));
            case Vram.Estimated estimated -> new Memory(guess.basis() == Memory.Basis.UNKNOWN ? 0 : estimated.bytes(),
                    guess.basis(), Optional.empty());
        };
    }

    /** The best that is known without a load. */
    private record Guess(Amount amount, Memory.Basis basis) {
    }

    private Guess guess(Model model, long context) {
        model.fileBytes().ifPresent(bytes -> sizes.put(model.key(), bytes));
        return rules(model, context).map(amount -> new Guess(amount, Memory.Basis.ESTIMATED))
                .or(() -> Optional.ofNullable(sizes.get(model.key())).map(bytes -> new Guess(files(bytes), Memory.Basis.FILES)))
                .or(() -> named.of(model.name()).map(amount -> new Guess(amount, Memory.Basis.NAME)))
                .orElse(NOTHING);
    }

    private boolean byCard(VramKey key) {
        return book.loads().stream().anyMatch(l -> l.key().equals(key) && l.source() == MeasuredLoad.Source.CARD);
    }

    /** Takes a figure of a load that is all on the card; false if it cannot be the whole of it, or is known already. */
    boolean learn(Model model, String card, long room, long bytes, MeasuredLoad.Source source, Instant at) {
        VramKey key = key(model, card, room);
        boolean known = book.loads().stream().anyMatch(l -> l.key().equals(key) && l.source() == source && l.bytes() == bytes);
        return !known && bytes > 0 && book.learn(new MeasuredLoad(key, bytes, guess(model, key.contextTokens()).amount(), source, at)) == VramBook.Learned.KEPT;
    }

    private VramKey key(Model model, String card, long room) {
        return new VramKey(model.key(), model.context().orElseGet(() -> usual(model, room)), 1, CacheType.F16, card);
    }

    private long usual(Model model, long room) {
        long byRoom = room < SMALL ? SMALL_CONTEXT : room < LARGE ? MIDDLE_CONTEXT : LARGE_CONTEXT;
        return Optional.ofNullable(facts.get(model.key())).map(shown -> {
            long most = estimator.usual(shown).contextTokens();
            long trained = shown.keys().own("context_length", byRoom);
            return shown.stated().contextTokens().isPresent() ? most : Math.min(byRoom, trained);
        }).orElse(byRoom);
    }

    private Optional<Amount> rules(Model model, long context) {
        return Optional.ofNullable(facts.get(model.key())).flatMap(shown ->
                estimates.computeIfAbsent(new Shape(model.key(), context), shape -> {
                    Use usual = estimator.usual(shown);
                    return estimator.estimate(shown, new Use(context, usual.parallel(), usual.slots(), usual.cache(),
                            usual.attention(), usual.tokensAtOnce())).total();
                }));
    }

    private static Amount files(long bytes) {
        return Amount.about(Math.round(bytes * (1 + BESIDE_FILES)), BESIDE_FILES);
    }
}
