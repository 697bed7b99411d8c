package dev.pitwall.read;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the exporter's log in both of its forms ({@code level=INFO} and {@code level=info}). */
public final class ExporterLogReader {

    private static final Pattern LINE = Pattern.compile(
            ".*?time=\"?(\\d{4}-\\d\\d-\\d\\dT[0-9:.]+(?:Z|[+-]\\d\\d:\\d\\d))\"? level=(\\w+) msg=(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\\S+))(.*)");
    private static final Pattern VERSION = Pattern.compile("[Vv]ersion[=:]\"?([0-9][\\w.-]*)(?=[\\s\"]|$)");
    private static final Pattern FILE = Pattern.compile("metric file '([^']+)'");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        boolean own = text.hits(t -> t.contains("dcgm-exporter") || t.contains("initialize DCGM")
                || t.contains("DCGM successfully initialized")) > 0;
        double share = text.share(t -> LINE.matcher(t).matches());
        return own && share > 0 ? 0.4 + 0.58 * share : 0;
    }

    /** Reads as far as it goes; never throws. */
    public ExporterLog read(Text text) {
        Notes notes = new Notes();
        List<ExporterLog.Step> steps = new ArrayList<>();
        Optional<String> version = Optional.empty();
        for (Text.Line line : text.filled(notes::add)) {
            Matcher m = LINE.matcher(line.text());
            if (line.open()) {
                notes.openEnd(line);
            } else if (m.matches()) {
                String message = m.group(3) != null ? m.group(3) : m.group(4);
                steps.add(new ExporterLog.Step(line.number(), instant(m.group(1)), Text.lower(m.group(2)), message));
                if (message.startsWith("Starting dcgm-exporter")) {
                    version = find(VERSION, m.group(5)).or(() -> find(VERSION, message));
                }
            }
        }
        int slow = longest(steps);
        return new ExporterLog(version, said(steps, "DCGM successfully initialized"),
                said(steps, "NVML provider successfully initialized"),
                said(steps, "Starting webserver").or(() -> said(steps, "Listening on")),
                steps.stream().map(s -> find(FILE, s.message())).flatMap(Optional::stream).reduce((a, b) -> b),
                slow < 0 ? OptionalDouble.empty() : OptionalDouble.of(wait(steps, slow)),
                slow < 0 ? Optional.empty() : Optional.of(steps.get(slow).message()), steps, notes.list());
    }

    private static Optional<Boolean> said(List<ExporterLog.Step> steps, String words) {
        return steps.stream().anyMatch(s -> s.message().contains(words)) ? Optional.of(true) : Optional.empty();
    }

    /** Index of the step after which the longest wait came; -1 if no two times are known. */
    private static int longest(List<ExporterLog.Step> steps) {
        int longest = -1;
        for (int i = 0; i + 1 < steps.size(); i++) {
            if (wait(steps, i) > (longest < 0 ? -1 : wait(steps, longest))) {
                longest = i;
            }
        }
        return longest;
    }

    /** Seconds between this step and the next; negative if not known. */
    private static double wait(List<ExporterLog.Step> steps, int i) {
        Optional<Instant> from = steps.get(i).at();
        Optional<Instant> to = steps.get(i + 1).at();
        return from.isEmpty() || to.isEmpty() ? -1 : Duration.between(from.get(), to.get()).toMillis() / 1000.0;
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> find(Pattern pattern, String text) {
        Matcher m = pattern.matcher(text);
        return m.find() ? Optional.of(m.group(1)) : Optional.empty();
    }
}
