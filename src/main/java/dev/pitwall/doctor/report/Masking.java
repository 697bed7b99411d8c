package dev.pitwall.doctor.report;

import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.sign.Excerpt;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Takes out of a text what should not be in a public post: secrets are dropped, names and addresses get a number, the same
 * everywhere in one report, so that lines can still be compared. Not thread-safe.
 */
public final class Masking {
    private static final List<Pattern> SECRETS = List.of(
            Pattern.compile("(?i)\\b(?:authorization|bearer|token|password|passwd|secret|api[_-]?key|client-key-data|"
                    + "client-certificate-data|PVEAPIToken)\\b[\"']?\\s*[:=]?\\s*(?:Bearer\\s+)?(?<hide>[^\\s\"',;}{]{4,})"),
            Pattern.compile("(?<hide>eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]*)"),
            Pattern.compile("(?<hide>nvapi-[A-Za-z0-9_-]{10,})"),
            Pattern.compile("://[^/\\s:@]+:(?<hide>[^/\\s@]+)@"));
    private static final Pattern NODE = Pattern.compile("^\\s*(?<key>nodeName|name): (?<name>\\S+)$");
    private static final Map<String, Pattern> NAMES = new LinkedHashMap<>();

    static {
        NAMES.put("mail", Pattern.compile("\\b[\\w.+-]+@[\\w-]+\\.[\\w.-]+\\b"));
        NAMES.put("gpu", Pattern.compile("\\bGPU-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\b"));
        NAMES.put("uuid", Pattern.compile("\\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\b"));
        NAMES.put("mac", Pattern.compile("\\b(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}\\b"));
        NAMES.put("ip", Pattern.compile("\\b(?!127\\.0\\.0\\.1\\b)(?!0\\.0\\.0\\.0\\b)(?:\\d{1,3}\\.){3}\\d{1,3}\\b(?!\\.\\d)"));
        NAMES.put("host", Pattern.compile("\\b(?:[a-z0-9-]+\\.)+(?:lan|local|home|internal|localdomain|home\\.arpa)\\b"));
    }

    private final Map<String, String> stood = new LinkedHashMap<>();
    private final Map<String, Integer> counts = new LinkedHashMap<>();

    /** @param names names of machines, which no pattern could tell from other words */
    public Masking(Collection<String> names) {
        new TreeSet<>(names).stream().filter(name -> name.length() > 1).forEach(name -> instead("machine", name));
    }

    /** Masks the names that a diagnosis knows. */
    public static Masking of(Diagnosis diagnosis) {
        Set<String> names = new TreeSet<>();
        Stream.of(diagnosis.findings(), diagnosis.advice(), diagnosis.harmless()).flatMap(List::stream)
                .forEach(finding -> names(finding, names));
        diagnosis.waiting().forEach(wait -> names(wait.finding(), names));
        return new Masking(names);
    }

    private static void names(Finding finding, Set<String> names) {
        names.addAll(finding.nodes());
        finding.cards().stream().map(card -> card.split("/")[0]).forEach(names::add);
        finding.evidence().stream().flatMap(proof -> proof.sides().stream()).forEach(side -> machines(side, names));
    }

    /** Objects that were compared may name nodes that the finding is not about. */
    private static void machines(Excerpt side, Set<String> names) {
        boolean node = side.lines().stream().anyMatch(line -> line.text().equals("kind: Node"));
        side.lines().forEach(line -> {
            Matcher name = NODE.matcher(line.text());
            if (name.find() && (node || name.group("key").equals("nodeName"))) {
                names.add(name.group("name"));
            }
        });
    }

    private String instead(String what, String name) {
        return stood.computeIfAbsent(name, n -> what + "-" + counts.merge(what, 1, Integer::sum));
    }

    /** The text without secrets and names. */
    public String masked(String text) {
        String masked = text;
        for (Pattern secret : SECRETS) {
            masked = hidden(secret.matcher(masked), masked);
        }
        for (Map.Entry<String, Pattern> name : NAMES.entrySet()) {
            masked = name.getValue().matcher(masked)
                    .replaceAll(m -> Matcher.quoteReplacement(instead(name.getKey(), m.group())));
        }
        for (Map.Entry<String, String> machine : stood.entrySet()) {
            if (machine.getValue().startsWith("machine-")) {
                masked = masked.replaceAll("(?<![\\w-])" + Pattern.quote(machine.getKey()) + "(?![\\w-])",
                        machine.getValue());
            }
        }
        return masked;
    }

    private static String hidden(Matcher secret, String text) {
        StringBuilder masked = new StringBuilder();
        int from = 0;
        while (secret.find()) {
            masked.append(text, from, secret.start("hide")).append("(masked)");
            from = secret.end("hide");
        }
        return masked.append(text.substring(from)).toString();
    }
}
