package dev.pitwall.link.helm;

import static dev.pitwall.link.kube.SaidRefusals.last;
import static dev.pitwall.link.kube.SaidRefusals.oneLine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.link.kube.SaidRefusals;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.link.trust.Words;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Helm's errors, which are texts, in Pitwall's words (helm/helm v3.21: pkg/action, pkg/kube, pkg/engine). */
final class HelmTroubles {
    private static final Pattern SECRET = Pattern.compile("(?i).*(?:pass|secret|token|key|credential|auth).*");
    private static final int SHORTEST_SECRET = 3;
    private static final Pattern OWNED = Pattern.compile(
            "(\\w+) \"([^\"]+)\" in namespace \"([^\"]*)\" exists and cannot be imported into the current release: "
            + "invalid ownership metadata");
    private static final Pattern OWNER = Pattern.compile(
            "\"meta.helm.sh/release-name\" must equal \"[^\"]*\": current value is \"([^\"]*)\"");
    private static final Pattern KUBERNETES = Pattern.compile(
            "chart requires kubeVersion: (.+) which is incompatible with Kubernetes (\\S+)");
    private static final Pattern REFUSED_BY_CHART = Pattern.compile(
            "execution error at \\(([^:)]+)(?::\\d+)*\\): (.+)");
    private static final Pattern SCHEMA = Pattern.compile("values don't meet the specifications of the schema\\S* (?:in|of) .*?: (.+)");
    private static final Pattern HOOK = Pattern.compile("((?:pre|post)-(?:install|upgrade|delete|rollback))(?: hooks? failed)?: (.+)");
    private static final Pattern NO_KIND = Pattern.compile("no matches for kind \"([^\"]+)\" in version \"([^\"]+)\"");
    private static final Pattern FIELD = Pattern.compile("(\\w[\\w.]*) \"([^\"]+)\" is invalid: (.+)");
    private static final Pattern UNREACHABLE = Pattern.compile("cluster unreachable: (.+)");

    private final Words words;
    private final Place place;
    private final String where;
    private final String namespace;
    private final JsonNode values;

    /**
     * @param where  the release
     * @param values what was given to the chart: the secrets in it are taken out of what Helm says
     */
    HelmTroubles(Words words, String cluster, String where, String namespace, JsonNode values) {
        this.words = words;
        this.place = new Place(Service.CLUSTER, cluster, cluster, 443);
        this.where = where;
        this.namespace = namespace;
        this.values = values;
    }

    Trouble of(String message) {
        String said = withoutSecrets(oneLine(message.replaceFirst("(?s)\n---\n.*", "")), values);
        return known(said).or(() -> new SaidRefusals(words, place, where, namespace).of(said))
                .or(() -> find(HOOK, said).map(m -> text(Kind.REMOTE, "helm.hook", "hook", m.group(1), "said", m.group(2))))
                .or(() -> find(FIELD, said).map(m -> text(Kind.REMOTE, "helm.field", "object", m.group(1) + " " + m.group(2),
                        "said", m.group(3))))
                .orElseGet(() -> said.contains("context deadline exceeded") || said.contains("timed out")
                        ? text(Kind.TIMEOUT, "helm.late") : text(Kind.REMOTE, "helm.failed", "said", said));
    }

    private Optional<Trouble> known(String said) {
        if (said.contains("cannot re-use a name that is still in use")) {
            return Optional.of(text(Kind.BUSY, "helm.inuse", "namespace", namespace));
        }
        if (said.contains("has no deployed releases")) {
            return Optional.of(text(Kind.MISSING, "helm.nodeployed"));
        }
        if (said.contains("release: not found")) {
            return Optional.of(text(Kind.MISSING, "helm.norelease"));
        }
        return find(OWNED, said).map(m -> owned(m, said))
                .or(() -> find(KUBERNETES, said).map(m -> text(Kind.PROTOCOL, "helm.kubernetes", "wanted", m.group(1),
                        "version", m.group(2))))
                .or(() -> find(REFUSED_BY_CHART, said).map(m -> text(Kind.REMOTE, "helm.chartrefuses", "template",
                        m.group(1), "said", m.group(2).replaceFirst("^error calling (?:fail|required): ", ""))))
                .or(() -> find(SCHEMA, said).map(m -> text(Kind.REMOTE, "helm.schema", "said", m.group(1))))
                .or(() -> find(NO_KIND, said).map(m -> text(Kind.MISSING, "helm.nokind", "kind", m.group(1), "version",
                        m.group(2))))
                .or(() -> find(UNREACHABLE, said).map(m -> text(Kind.CONNECT, "helm.unreachable", "said", last(m.group(1)))));
    }

    private Trouble owned(MatchResult said, String whole) {
        String object = said.group(1) + " " + said.group(2)
                + (said.group(3).isEmpty() ? "" : " in " + said.group(3));
        return find(OWNER, whole).map(m -> text(Kind.BUSY, "helm.other", "object", object, "release", m.group(1)))
                .orElseGet(() -> text(Kind.BUSY, "helm.foreign", "object", object));
    }

    private static Optional<MatchResult> find(Pattern pattern, String said) {
        Matcher matcher = pattern.matcher(said);
        return matcher.find() ? Optional.of(matcher.toMatchResult()) : Optional.empty();
    }

    private Trouble text(Kind kind, String key, String... more) {
        return words.troubleBehind(kind, place, where, key, more);
    }

    /** The API server repeats a value that it does not take; one whose name sounds like a secret is not repeated here. */
    private static String withoutSecrets(String said, JsonNode values) {
        String clean = said;
        for (Map.Entry<String, JsonNode> value : values.properties()) {
            if (value.getValue().isContainerNode() && !SECRET.matcher(value.getKey()).matches()) {
                clean = value.getValue().isObject() ? withoutSecrets(clean, value.getValue())
                        : items(clean, value.getValue());
            } else if (SECRET.matcher(value.getKey()).matches()) {
                clean = hidden(clean, value.getValue());
            }
        }
        return clean;
    }

    /** Of a list of names with values, as environments are, the name tells. */
    private static String items(String said, JsonNode list) {
        String clean = said;
        for (JsonNode item : list) {
            clean = SECRET.matcher(item.path("name").asText("")).matches() ? hidden(clean, item.path("value"))
                    : withoutSecrets(clean, item);
        }
        return clean;
    }

    private static String hidden(String said, JsonNode secret) {
        if (secret.isContainerNode()) {
            String clean = said;
            for (JsonNode part : secret) {
                clean = hidden(clean, part);
            }
            return clean;
        }
        return secret.asText().length() < SHORTEST_SECRET ? said : said.replace(secret.asText(), "***");
    }
}
