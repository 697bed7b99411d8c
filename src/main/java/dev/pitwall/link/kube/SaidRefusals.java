package dev.pitwall.link.kube;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Words;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sentences of an API server and of whoever has a say in admission. They come as the message of a {@code Status}, and
 * in the error texts of tools such as Helm, which pass them on.
 */
public final class SaidRefusals {
    private static final int MOST = 400;
    private static final Pattern NOT_ALLOWED = Pattern.compile(
            "User \"([^\"]*)\" cannot ([a-z]+) resource \"([^\"]+)\"(?:.* in the namespace \"([^\"]+)\")?");
    private static final Pattern TERMINATING = Pattern.compile("in namespace (\\S+) because it is being terminated");
    private static final Pattern STANDARD = Pattern.compile("violates PodSecurity \"([^\"]+)\": (.*)");
    private static final Pattern QUOTA = Pattern.compile("(?:exceeded|failed) quota: ([^,:]+)[,:] (.*)");
    private static final Pattern WEBHOOK = Pattern.compile(
            "admission webhook \"([^\"]+)\" denied the request(?: without explanation)?:?\\s*(.*)");
    private static final Pattern POLICY = Pattern.compile("ValidatingAdmissionPolicy '([^']+)'.* denied request: (.*)");
    private static final Pattern SILENT_WEBHOOK = Pattern.compile("failed calling webhook \"([^\"]+)\": (.*)");
    private static final Pattern NO_NAMESPACE = Pattern.compile("namespaces \"([^\"]+)\" not found");

    private final Words words;
    private final Place place;
    private final String where;
    private final String namespace;

    /**
     * @param where     of the troubles
     * @param namespace that was written to; empty text for the whole cluster
     */
    public SaidRefusals(Words words, Place place, String where, String namespace) {
        this.words = words;
        this.place = place;
        this.where = where;
        this.namespace = namespace;
    }

    /** @return empty if nobody known says this */
    public Optional<Trouble> of(String message) {
        String said = oneLine(message);
        return find(NOT_ALLOWED, said).map(this::right)
                .or(() -> find(TERMINATING, said).map(m -> text(Kind.BUSY, "kube.terminating", "namespace", m.group(1))))
                .or(() -> find(STANDARD, said).map(m -> text(Kind.REMOTE, "kube.podsecurity", "standard", m.group(1),
                        "said", m.group(2), "namespace", namespace)))
                .or(() -> find(QUOTA, said).map(m -> text(Kind.REMOTE, "kube.quota", "quota", m.group(1), "said",
                        m.group(2), "namespace", namespace)))
                .or(() -> find(WEBHOOK, said).map(m -> text(Kind.REMOTE, "kube.webhook", "webhook", m.group(1), "said",
                        m.group(2).isEmpty() ? "it gives no reason" : m.group(2))))
                .or(() -> find(POLICY, said).map(m -> text(Kind.REMOTE, "kube.policy", "policy", m.group(1), "said",
                        m.group(2))))
                .or(() -> find(SILENT_WEBHOOK, said).map(m -> text(Kind.REMOTE, "kube.webhooksilent", "webhook",
                        m.group(1), "said", last(m.group(2)))))
                .or(() -> find(NO_NAMESPACE, said).filter(m -> m.group(1).equals(namespace))
                        .map(m -> text(Kind.MISSING, "kube.nonamespace", "namespace", namespace)));
    }

    private Trouble right(MatchResult said) {
        String scope = said.group(4) == null ? namespace : said.group(4);
        return text(Kind.RIGHTS, "kube.right", "user", said.group(1), "verb", said.group(2), "resource", said.group(3),
                "scope", scope.isEmpty() ? "" : " -n " + scope);
    }

    private static Optional<MatchResult> find(Pattern pattern, String said) {
        Matcher matcher = pattern.matcher(said);
        return matcher.find() ? Optional.of(matcher.toMatchResult()) : Optional.empty();
    }

    private Trouble text(Kind kind, String key, String... values) {
        return words.troubleBehind(kind, place, where, key, values);
    }

    /** Of a chain of errors, as Go writes it, the one that began it. */
    public static String last(String chain) {
        return chain.substring(chain.lastIndexOf(": ") < 0 ? 0 : chain.lastIndexOf(": ") + 2);
    }

    /** A message as part of a sentence. */
    public static String oneLine(String message) {
        String line = message.strip().replaceAll("\\s+", " ");
        return line.length() > MOST ? line.substring(0, MOST) + "…" : line;
    }
}
