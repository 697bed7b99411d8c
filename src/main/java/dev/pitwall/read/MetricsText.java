package dev.pitwall.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Reads Prometheus' text exposition format, line by line; comments are skipped. */
public final class MetricsText {

    /**
     * @param notes gets a sentence for each line that is no sample
     * @return the samples, in order
     */
    public List<MetricSample> parse(Text text, Consumer<String> notes) {
        List<MetricSample> samples = new ArrayList<>();
        for (Text.Line line : text.filled(notes)) {
            if (line.trimmed().startsWith("#")) {
                continue;
            }
            Optional<MetricSample> sample = line.open() ? Optional.empty() : parse(line.trimmed());
            sample.ifPresentOrElse(samples::add, () -> notes.accept("line " + line.number() + ": "
                    + (line.open() ? "the text stops here without a line end; this sample was left out"
                    : "not a sample; skipped")));
        }
        return samples;
    }

    /** @return empty if the line is not a whole sample */
    public Optional<MetricSample> parse(String line) {
        Scanner scanner = new Scanner(line);
        String name = scanner.name();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Optional<Map<String, String>> labels = scanner.labels();
        if (labels.isEmpty()) {
            return Optional.empty();
        }
        String[] rest = scanner.rest().split("\\s+");
        OptionalDouble value = value(rest[0]);
        if (value.isEmpty() || rest.length > 2) {
            return Optional.empty();
        }
        OptionalLong at = rest.length == 2 ? Numbers.whole(rest[1]) : OptionalLong.empty();
        return Optional.of(new MetricSample(name, labels.get(), value.getAsDouble(), at));
    }

    static OptionalDouble value(String text) {
        return switch (text) {
            case "NaN" -> OptionalDouble.of(Double.NaN);
            case "+Inf", "Inf" -> OptionalDouble.of(Double.POSITIVE_INFINITY);
            case "-Inf" -> OptionalDouble.of(Double.NEGATIVE_INFINITY);
            default -> Numbers.decimal(text);
        };
    }

    private static final class Scanner {
        private final String line;
        private int at;

        Scanner(String line) {
            this.line = line;
        }

        String name() {
            int from = at;
            while (at < line.length() && (Character.isLetterOrDigit(line.charAt(at)) || line.charAt(at) == '_'
                    || line.charAt(at) == ':')) {
                at++;
            }
            String name = line.substring(from, at);
            return name.isEmpty() || Character.isDigit(name.charAt(0)) ? "" : name;
        }

        /** @return empty if the braces are not closed */
        Optional<Map<String, String>> labels() {
            Map<String, String> labels = new HashMap<>();
            blanks();
            if (at >= line.length() || line.charAt(at) != '{') {
                return Optional.of(labels);
            }
            at++;
            while (at < line.length()) {
                blanks();
                if (at < line.length() && line.charAt(at) == '}') {
                    at++;
                    return Optional.of(labels);
                }
                String key = name();
                Optional<String> value = key.isEmpty() ? Optional.empty() : quoted();
                if (value.isEmpty()) {
                    return Optional.empty();
                }
                labels.put(key, value.get());
                blanks();
                if (at < line.length() && line.charAt(at) == ',') {
                    at++;
                }
            }
            return Optional.empty();
        }

        private Optional<String> quoted() {
            blanks();
            if (!line.startsWith("=", at)) {
                return Optional.empty();
            }
            at++;
            blanks();
            if (!line.startsWith("\"", at)) {
                return Optional.empty();
            }
            StringBuilder value = new StringBuilder();
            for (at++; at < line.length(); at++) {
                char c = line.charAt(at);
                if (c == '"') {
                    at++;
                    return Optional.of(value.toString());
                }
                if (c == '\\' && at + 1 < line.length()) {
                    char next = line.charAt(++at);
                    value.append(next == 'n' ? '\n' : next);
                } else {
                    value.append(c);
                }
            }
            return Optional.empty();
        }

        private void blanks() {
            while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
                at++;
            }
        }

        String rest() {
            return line.substring(at).strip();
        }
    }
}
