package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The types of tensors and of files that llama.cpp knows ({@code tensor-types.csv}, {@code file-types.csv}). */
public final class Quantisations {
    private static final Pattern BITS = Pattern.compile("(?:^|.*[^A-Z])I?Q([1-8])(?:_.*)?");

    private final Map<Integer, TensorType> tensors;
    private final List<FileType> files;

    private Quantisations(List<TensorType> tensors, List<FileType> files) {
        this.tensors = tensors.stream().collect(Collectors.toUnmodifiableMap(TensorType::id, Function.identity()));
        this.files = List.copyOf(files);
    }

    public static Quantisations load() {
        List<TensorType> tensors = EngineData.csv("tensor-types.csv").stream().map(r -> new TensorType(
                Integer.parseInt(r[0]), r[1], Integer.parseInt(r[2]), Integer.parseInt(r[3]), r[4])).toList();
        Map<String, TensorType> named = tensors.stream().collect(Collectors.toMap(TensorType::name, Function.identity()));
        List<FileType> files = EngineData.csv("file-types.csv").stream().map(r -> new FileType(
                Integer.parseInt(r[0]), r[1], Double.parseDouble(r[2]), Double.parseDouble(r[3]), Double.parseDouble(r[4]),
                Double.parseDouble(r[5]), named.get(r[6]), named.get(r[7]))).toList();
        return new Quantisations(tensors, files);
    }

    public Optional<TensorType> tensor(int id) {
        return Optional.ofNullable(tensors.get(id));
    }

    /** @param name in any case, for example {@code q4_K} or {@code Q4_K} */
    public Optional<TensorType> tensor(String name) {
        return tensors.values().stream().filter(t -> t.name().equalsIgnoreCase(name)).findFirst();
    }

    /** The type that a matrix with such rows gets. */
    TensorType fitting(TensorType type, long row) {
        return type.fits(row) ? type : tensor(type.instead()).orElse(type);
    }

    Optional<FileType> file(long id) {
        return files.stream().filter(f -> f.id() == id).findFirst();
    }

    /** By its name, also with a maker's mark before it or a size class behind it: {@code UD-Q4_K_XL} is near Q4_K_M. */
    Optional<FileType> file(String name) {
        String plain = name.toUpperCase(Locale.ROOT).replaceFirst("^UD-", "").replaceFirst("_X{1,2}L$", "_M")
                .replaceFirst("_MOE$", "");
        return files.stream().filter(f -> f.name().equals(plain) || f.name().equals(plain.replaceFirst("_[MLS]$", "")))
                .sorted((a, b) -> b.name().length() - a.name().length()).findFirst();
    }

    /** @param name as {@link #file(String)} takes it @return bits a weight of the layers takes on average */
    public OptionalDouble bits(String name) {
        return file(name).map(type -> OptionalDouble.of(type.bits())).orElse(OptionalDouble.empty());
    }

    /** One that is not in the table, by the number in its name; such types take about half a bit more. */
    Optional<FileType> byItsBits(String name) {
        Matcher bits = BITS.matcher(name.toUpperCase(Locale.ROOT));
        if (!bits.matches()) {
            return Optional.empty();
        }
        double each = Integer.parseInt(bits.group(1)) + 0.5;
        TensorType output = tensor("Q6_K").orElseThrow();
        return Optional.of(new FileType(-1, name, each, each, each, each, output, output));
    }
}
