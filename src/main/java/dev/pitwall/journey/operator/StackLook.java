package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.consent.TakeOver;
import dev.pitwall.journey.operator.Ownership.Owner;
import dev.pitwall.journey.survey.ClusterEvidence;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.ClusterSurvey.Charts;
import dev.pitwall.journey.survey.StackNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One look at the stack of a cluster: what is there, what it should be, and what stands in the way. */
final class StackLook {
    private final CardCluster cluster;
    private final ClusterSurvey survey;
    private final Stack stack;
    private final OperatorVersions versions;
    private final Settings settings;
    private final Sentences texts;
    private final ClusterEvidence evidence;
    private final Optional<Release> newest;
    private final Optional<Release> release;
    private final String namespace;

    StackLook(CardCluster cluster, OperatorVersions versions, Settings settings, Sentences texts) {
        this.cluster = cluster;
        this.survey = cluster.survey();
        this.stack = Stack.of(cluster.situation(), survey);
        this.versions = versions;
        this.settings = settings;
        this.texts = texts;
        this.evidence = new ClusterEvidence(survey);
        this.newest = survey.releasesOf(chartName()).stream().findFirst();
        this.release = survey.counting(chartName()).stream().findFirst();
        this.namespace = newest.map(Release::namespace).orElse(stack == Stack.OPERATOR
                ? StackNames.USUAL_NAMESPACE : PluginValues.NAMESPACE);
    }

    private String chartName() {
        return stack == Stack.OPERATOR ? StackNames.OPERATOR : StackNames.DEVICE_PLUGIN;
    }

    Answer answer() {
        new StackRows(cluster, evidence, texts).add(newest, namespace);
        StackObstacles obstacles = new StackObstacles(cluster, stack, settings, texts);
        Answer answer = obstacles.before(newest, evidence.at()).map(o -> o.answer(evidence.rows()))
                .orElseGet(() -> chart().map(chart -> withChart(chart, obstacles)).orElseGet(this::withoutChart));
        return answer.asking(new StackQuestions(cluster, stack, versions, texts).all()
                .toArray(Answer.Question[]::new));
    }

    private Optional<Charts> chart() {
        return Optional.ofNullable(survey.charts().get(chartName()));
    }

    /** What runs goes on running when a repository is silent; it only cannot be compared. */
    private Answer withoutChart() {
        Optional<Trouble> trouble = survey.trouble(chartName());
        String why = trouble.map(Trouble::sentence).orElseGet(() -> texts.say("chart.none", chartName()));
        String next = trouble.map(Trouble::next).orElse("");
        if (newest.filter(r -> r.status().equals("deployed")).isEmpty()) {
            return Obstacle.unknown(texts.say("chart.unread", why), next).answer(evidence.rows());
        }
        Answer done = Answer.of(State.DONE, texts.say("done.notCompared", release.get().chartVersion()), evidence.rows())
                .noting(texts.say("chart.notCompared", why));
        return next.isEmpty() ? done : done.noting(next);
    }

    private Answer withChart(Charts chart, StackObstacles obstacles) {
        evidence.listing(texts.say("row.chart"), texts.say("row.chart.value", chartName(), chart.file().version(),
                chart.versions().size()), Mark.INFO, chartName(), chart.file().version());
        Optional<Obstacle> unfit = stack == Stack.OPERATOR ? obstacles.unfit(chart, versions) : Optional.empty();
        if (unfit.isPresent()) {
            return unfit.get().answer(evidence.rows());
        }
        Compose compose = new Compose(cluster, chart, release, newest.filter(Release::pending), settings, texts);
        ChartValues values = stack == Stack.OPERATOR ? OperatorValues.of(compose) : PluginValues.of(compose);
        StackRelease wanted = new StackRelease(compose, values, namespace);
        List<Change> changes = changes(wanted);
        if (changes.isEmpty()) {
            return done();
        }
        Optional<Owner> owner = new Ownership(survey, texts).of(newest, chartName(), namespace, wanted.change())
                .filter(o -> wanted.change().isPresent());
        Answer answer = obstacles.against(changes, owner, namespace, evidence.at())
                .map(o -> o.answer(evidence.rows()))
                .orElseGet(() -> Answer.ready(why(wanted), evidence.rows(), changes).noting(owner.stream()
                        .map(o -> texts.say("owner.note." + o.acts(), o.who())).toList()))
                .noting(new StackNotes(compose, versions).of(wanted, values));
        return owner.isPresent() ? new TakeOver().asked(answer, cluster.situation().choices()) : answer;
    }

    private String why(StackRelease wanted) {
        return wanted.change().map(helm -> helm.summary()).orElseGet(() -> texts.say("ready.namespace", namespace));
    }

    /** First the namespace that lets the pods in, then what they need, then the release. */
    private List<Change> changes(StackRelease wanted) {
        List<Change> changes = new ArrayList<>();
        boolean there = survey.one(ObjectType.NAMESPACE, "", namespace).isPresent();
        if (!there || survey.may("patch", ObjectType.NAMESPACE, "")) {
            Namespaces.change(survey, namespace, texts).ifPresent(changes::add);
        }
        runtimeClass().ifPresent(changes::add);
        wanted.change().ifPresent(changes::add);
        return changes;
    }

    private Optional<ManifestChange> runtimeClass() {
        return switch (stack) {
            case OPERATOR -> release.isEmpty() ? RuntimeClasses.leftOver(cluster, texts) : Optional.empty();
            case DEVICE_PLUGIN -> RuntimeClasses.missing(cluster, texts);
        };
    }

    private Answer done() {
        Release is = release.orElseThrow();
        boolean policyIsMissing = stack == Stack.OPERATOR && survey.trouble(ObjectType.CLUSTER_POLICY.resource()).isEmpty()
                && survey.all(ObjectType.CLUSTER_POLICY).isEmpty();
        if (policyIsMissing) {
            return Obstacle.blocked(texts.say("policy.missing", is.name()), texts.say("policy.missing.next", is.name(),
                    is.namespace())).answer(evidence.rows());
        }
        return Answer.of(State.DONE, texts.say("done", is.name(), is.chartVersion(), is.namespace()), evidence.rows());
    }

    /** Whether an object is owned by the operator's policy. */
    static boolean isOfPolicy(JsonNode object) {
        return object.at("/metadata/ownerReferences").valueStream()
                .anyMatch(owner -> owner.path("kind").asText().equals("ClusterPolicy"));
    }
}
