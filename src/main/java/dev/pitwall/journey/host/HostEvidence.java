package dev.pitwall.journey.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.Source;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.survey.Evidence;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.journey.survey.Shown;
import dev.pitwall.read.Text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a host's survey rests on, made into rows of "What we found". */
final class HostEvidence {
    private static final Pattern HEAD =
            Pattern.compile("((?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[01][0-9a-fA-F]\\.[0-7])\\s.*");
    private static final String DEVICES = "/sys/bus/pci/devices/";

    private final HostSurvey survey;
    private final Evidence evidence;

    HostEvidence(HostSurvey survey) {
        this.survey = survey;
        this.evidence = Evidence.of(survey);
    }

    Found row(String name, String value, Mark mark, Showing what) {
        return evidence.row(name, value, mark, what);
    }

    /** @param decides true for a line of the output that decides */
    Found row(String name, String value, Mark mark, Showing what, Predicate<String> decides) {
        return evidence.row(name, value, mark, what, decides);
    }

    /** A row that rests on one file below {@code /sys} of a function. */
    Found state(String name, String value, Mark mark, PciAddress function, String attribute) {
        return attribute(name, value, mark, Showing.STATE.of(function), DEVICES + function + "/" + attribute);
    }

    /** A row that rests on a parameter of a module. */
    Found parameter(String name, String value, Mark mark, String module, String parameter) {
        return attribute(name, value, mark, Showing.PARAMETERS.key(),
                "/sys/module/" + module + "/parameters/" + parameter);
    }

    /** The survey reads many small files with one command; a person looks at the one that counts. */
    private Found attribute(String name, String value, Mark mark, String key, String path) {
        Shown all = shown(key, "cat " + path);
        String raw = all.raw().lines().filter(l -> l.startsWith(path + ":"))
                .map(l -> l.substring(path.length() + 1) + "\n").findFirst().orElse("");
        return Evidence.found(name, value, mark, new Shown(ssh("cat " + path), all.at(), raw, all.ok()), line -> true);
    }

    /**
     * A row that rests on one memory window of a function.
     *
     * @param index 0 to 5
     */
    Found bar(String name, String value, Mark mark, PciAddress function, int index) {
        Shown all = shown(Showing.BARS.of(function), "cat " + DEVICES + function + "/resource");
        boolean there = all.raw().lines().count() > index;
        return new Found(name, value, mark, all.source(), all.at(), all.raw(), there ? List.of(index + 1) : List.of());
    }

    /** A row that rests on one slot's part of {@code lspci}. */
    Found slot(String name, String value, Mark mark, PciAddress slot, Predicate<String> decides) {
        Shown all = shown(Showing.LSPCI.key(), "lspci -nnkD");
        return Evidence.found(name, value, mark, new Shown(all.source(), all.at(), part(all.raw(), slot), all.ok()),
                decides);
    }

    /** A row that rests on a file of the host. */
    Found file(String name, String value, Mark mark, String path, Predicate<String> decides) {
        return Evidence.found(name, value, mark,
                new Shown(ssh("cat " + path), evidence.at(), survey.file(path).text(), true), decides);
    }

    /** What was printed; empty where it was not looked at, or the look failed. */
    Optional<Text> text(Showing what) {
        return evidence.shown(what.key()).filter(Shown::ok).map(s -> Text.whole(s.raw()));
    }

    private Shown shown(String key, String command) {
        return evidence.shown(key).orElseGet(() -> evidence.unseen(ssh(command)));
    }

    private Source ssh(String command) {
        return new Source(Source.Kind.SSH, survey.host(), command);
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
