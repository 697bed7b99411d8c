package dev.pitwall.link.kube;

import java.nio.file.Path;
import java.util.Locale;

import dev.pitwall.card.Trouble;

import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Says what is wrong with a YAML file in words that help to mend it. */
final class YamlTroubles {
    private YamlTroubles() {
    }

    static Trouble broken(Path file, MarkedYAMLException broken) {
        Mark mark = broken.getProblemMark() != null ? broken.getProblemMark() : broken.getContextMark();
        String where = HomePath.shorten(file) + (mark == null ? "" : " line " + (mark.getLine() + 1));
        String column = mark == null ? "" : ", at column " + (mark.getColumn() + 1);
        return new Trouble(Trouble.Kind.UNREADABLE, where, "the YAML is broken" + column + ": " + reason(broken),
                "Mend that line, or copy the kubeconfig again from the cluster.");
    }

    private static String reason(MarkedYAMLException broken) {
        String problem = String.valueOf(broken.getProblem()).toLowerCase(Locale.ROOT);
        if (problem.contains("tab") || problem.contains("\\t")) {
            return "a tab is used for indentation, which YAML does not allow";
        }
        if (problem.contains("mapping values are not allowed")) {
            return "a colon where no key can be; the line before or the indentation is wrong";
        }
        if (problem.contains("could not find expected ':'")) {
            return "a key without a colon";
        }
        if (problem.contains("unexpected end of stream") || problem.contains("stream end")) {
            return "the file ends in the middle of a value";
        }
        if (problem.contains("block end") || problem.contains("<block")) {
            return "the indentation does not fit the lines above";
        }
        if (problem.contains("alias")) {
            return "an alias refers to nothing";
        }
        return "the text does not follow the YAML rules";
    }
}
