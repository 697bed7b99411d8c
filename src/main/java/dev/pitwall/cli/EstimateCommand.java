package dev.pitwall.cli;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.vram.CacheType;
import dev.pitwall.engine.vram.ModelFacts;
import dev.pitwall.engine.vram.ModelFile;
import dev.pitwall.engine.vram.Use;
import dev.pitwall.engine.vram.VramEstimator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** {@code pitwall estimate FILE}: what a model needs of a card's memory, from an answer of Ollama or a GGUF file. */
@Command(name = "estimate", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Says what a model needs of a card's memory when all its layers lie on it.",
        footer = {"", "FILE is an answer of Ollama's /api/show (best asked with \"verbose\": true)",
                "or a GGUF file. The other parts of a split model and a projector (mmproj) are",
                "looked for beside it. - is an answer on standard input.", "",
                "Exit codes: 0 estimated, 1 the model runs elsewhere, a part has no figure or no",
                "server would load the file, 2 bad use or unreadable input."})
public final class EstimateCommand implements Callable<Integer> {
    private static final Pattern ADDRESS = Pattern.compile("https?://", Pattern.CASE_INSENSITIVE);
    private static final long MOST_TOKENS = 1L << 30;
    private static final int MOST_SLOTS = 256;
    private static final int MOST_AT_ONCE = 1 << 16;

    private final InputStream standardInput;
    private final Output output;

    @Parameters(paramLabel = "FILE", description = "An answer of /api/show, or a GGUF file.")
    private String file;

    @Option(names = "--context", paramLabel = "N",
            description = "Tokens of context (default: the model's num_ctx, else 4096, at most what it was trained for).")
    private Long context;

    @Option(names = "--parallel", paramLabel = "N", description = "Requests at once (default: 1).")
    private Integer parallel;

    @Option(names = "--kv", paramLabel = "TYPE", defaultValue = "f16",
            description = "How keys and values are stored: f16, q8_0 or q4_0 (default: ${DEFAULT-VALUE}).")
    private String kv;

    @Option(names = "--slots", paramLabel = "HOW", defaultValue = "each",
            description = {"How slots share the context: each has N tokens (Ollama), split: N is divided (llama-server --parallel), "
                    + "shared: one cache for all (llama-server's unified cache; default: ${DEFAULT-VALUE})."})
    private String slots;

    @Option(names = "--ubatch", paramLabel = "N", description = "Tokens computed in one go (default: 512).")
    private Integer atOnce;

    @Option(names = "--flash-attention", paramLabel = "on|off", defaultValue = "on", description = "Default: ${DEFAULT-VALUE}.")
    private String flashAttention;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    public EstimateCommand(Output output) {
        this(System.in, output);
    }

    /** @param standardInput what {@code -} reads */
    public EstimateCommand(InputStream standardInput, Output output) {
        this.standardInput = standardInput;
        this.output = output;
    }

    @Override
    public Integer call() {
        Optional<String> wrong = wrongUse();
        if (wrong.isPresent()) {
            output.note("pitwall: " + wrong.get());
            return ExitCode.BAD_USE;
        }
        try {
            ModelFacts model = read();
            VramEstimator estimator = new VramEstimator();
            EstimateReport report = new EstimateReport(estimator.estimate(model, use(estimator.usual(model))));
            if (json) {
                output.json(report.json());
            } else {
                output.text(report.text());
            }
            return report.exitCode();
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
    }

    private Optional<String> wrongUse() {
        return range("--context", context, MOST_TOKENS)
                .or(() -> range("--parallel", parallel, MOST_SLOTS))
                .or(() -> range("--ubatch", atOnce, MOST_AT_ONCE))
                .or(() -> CacheType.of(kv).isPresent() ? Optional.empty()
                        : Optional.of("--kv: \"" + kv + "\" is none of " + CacheType.names()))
                .or(() -> oneOf("--slots", slots, Use.Slots.values()))
                .or(() -> oneOf("--flash-attention", flashAttention, Use.FlashAttention.values()));
    }

    private static Optional<String> range(String option, Number value, long most) {
        return value == null || (value.longValue() >= 1 && value.longValue() <= most) ? Optional.empty()
                : Optional.of(option + ": " + value + " is not between 1 and " + most);
    }

    private static Optional<String> oneOf(String option, String given, Enum<?>[] values) {
        String names = Arrays.stream(values).map(v -> v.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", "));
        return Arrays.stream(values).anyMatch(v -> v.name().equalsIgnoreCase(given)) ? Optional.empty()
                : Optional.of(option + ": \"" + given + "\" is none of " + names);
    }

    private ModelFacts read() throws TroubleException {
        if (ADDRESS.matcher(file).lookingAt()) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, file, "this is an address, and a file is read",
                    "Save the answer into a file and name that: curl -s " + file.replaceFirst("(/api/show)?/*$", "/api/show")
                            + " -d '{\"model\": \"NAME\", \"verbose\": true}' > show.json"));
        }
        ModelFile files = new ModelFile();
        try {
            return file.equals("-") ? files.read("standard input", standardInput) : files.read(Path.of(file));
        } catch (InvalidPathException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, file, "this cannot be the name of a file",
                    "Check the name, or use - for standard input."), e);
        }
    }

    private Use use(Use usual) {
        return new Use(context == null ? usual.contextTokens() : context, parallel == null ? usual.parallel() : parallel,
                Use.Slots.valueOf(slots.toUpperCase(Locale.ROOT)), CacheType.of(kv).orElseThrow(),
                Use.FlashAttention.valueOf(flashAttention.toUpperCase(Locale.ROOT)),
                atOnce == null ? usual.tokensAtOnce() : atOnce);
    }
}
