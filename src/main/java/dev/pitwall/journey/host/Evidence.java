package dev.pitwall.journey.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.Source;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.Shown;
import dev.pitwall.read.Text;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Makes the rows of "What we found" of one survey: each with what was printed and the lines that decide. */
final class Evidence {
    /** A row marks at most so many lines ({@link Found}). */
    private static final int MOST_LINES = 5;
    private static final Predicate<String> NO_LINE = line -> false;
    private static final Pattern HEAD =
            Pattern.compile("((?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[01][0-9a-fA-F]\\.[0-7])\\s.*");
    private static final String DEVICES = "/sys/bus/pci/devices/";

    private final HostSurvey survey;

    Evidence(HostSurvey survey) {
        this.survey = survey;
    }

    Found row(String name, String value, Found.Mark mark, Showing what) {
        return row(name, value, mark, what, NO_LINE);
    }

    /** @param decides true for a line of the output that decides */
    Found row(String name, String value, Found.Mark mark, Showing what, Predicate<String> decides) {
        boolean api = what == Showing.GUESTS || what == Showing.CONTAINERS;
        return row(name, value, mark, what.key(), new Source(api ? Source.Kind.PROXMOX : Source.Kind.SSH, survey.host(),
                what.command(survey.host())), decides);
    }

    /** A row that rests on one file below {@code /sys} of a function. */
    Found state(String name, String value, Found.Mark mark, PciAddress function, String attribute) {
        return attribute(name, value, mark, "state:" + function, DEVICES + function + "/" + attribute);
    }

    /** A row that rests on a parameter of a module. */
    Found parameter(String name, String value, Found.Mark mark, String module, String parameter) {
        return attribute(name, value, mark, Showing.PARAMETERS.key(),
                "/sys/module/" + module + "/parameters/" + parameter);
    }

    /** The survey reads many small files with one command; a person looks at the one that counts. */
    private Found attribute(String name, String value, Found.Mark mark, String key, String path) {
        Optional<Shown> all = shown(key);
        String raw = all.stream().flatMap(s -> s.raw().lines()).filter(l -> l.startsWith(path + ":"))
                .map(l -> l.substring(path.length() + 1) + "\n").findFirst().orElse("");
        return found(name, value, mark, ssh("cat " + path), all.map(Shown::at).orElseGet(this::at), raw, line -> true);
    }

    /** A row that rests on one memory window of a function. @param index 0 to 5 */
    Found bar(String name, String value, Found.Mark mark, PciAddress function, int index) {
        Found row = row(name, value, mark, "bars:" + function, ssh("cat " + DEVICES + function + "/resource"), NO_LINE);
        boolean there = row.raw().lines().count() > index;
        return new Found(name, value, mark, row.source(), row.at(), row.raw(), there ? List.of(index + 1) : List.of());
    }

    private Found row(String name, String value, Found.Mark mark, String key, Source usual, Predicate<String> decides) {
        return shown(key).map(s -> found(name, value, mark, s.source(), s.at(), s.raw(), decides))
                .orElseGet(() -> found(name, value, mark, usual, at(), "", decides));
    }

    /** A row that rests on one slot's part of {@code lspci}. */
    Found slot(String name, String value, Found.Mark mark, PciAddress slot, Predicate<String> decides) {
        Optional<Shown> all = shown(Showing.LSPCI.key());
        String part = all.map(s -> part(s.raw(), slot)).orElse("");
        Source source = all.map(Shown::source).orElseGet(() -> ssh(Showing.LSPCI.command(survey.host())));
        return found(name, value, mark, source, all.map(Shown::at).orElseGet(this::at), part, decides);
    }

    /** A row that rests on a file of the host. */
    Found file(String name, String value, Found.Mark mark, String path, Predicate<String> decides) {
        return found(name, value, mark, ssh("cat " + path), at(), survey.file(path).text(), decides);
    }

    private Source ssh(String command) {
        return new Source(Source.Kind.SSH, survey.host(), command);
    }

    /** What was printed; empty where it was not looked at, or the look failed. */
    Optional<Text> text(Showing what) {
        return shown(what.key()).filter(Shown::ok).map(s -> Text.whole(s.raw()));
    }

    private Optional<Shown> shown(String key) {
        return Optional.ofNullable(survey.shown().get(key));
    }

    private Instant at() {
        return survey.shown().values().stream().map(Shown::at).max(Instant::compareTo).orElse(Instant.EPOCH);
    }

    private static Found found(String name, String value, Found.Mark mark, Source source, Instant at, String raw,
                               Predicate<String> decides) {
        List<String> lines = raw.lines().toList();
        List<Integer> deciding = IntStream.range(0, lines.size()).filter(i -> decides.test(lines.get(i)))
                .limit(MOST_LINES).mapToObj(i -> i + 1).toList();
        return new Found(name, value, mark, source, at, raw, deciding);
    }

    private static String part(String listing, PciAddress slot) {
        List<String> part = new ArrayList<>();
        boolean inside = false;
        for (String line : listing.lines().toList()) {
            Matcher head = HEAD.matcher(line.strip());
            if (head.matches()) {
                inside = PciAddress.parse(head.group(1)).filter(a -> a.sameSlot(slot)).isPresent();
            }
            if (inside) {
                part.add(line);
            }
        }
        return part.isEmpty() ? "" : String.join("\n", part) + "\n";
    }
}
